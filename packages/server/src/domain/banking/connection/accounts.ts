import { BANK_CURRENCIES } from '../../../catalog/bank.ts'
import type { BankAccount } from '../../../ports/bank.ts'
import type { ConnectedAccount } from './schema.ts'
import type { ConnectionRow } from './show.ts'

const SHOWN_DIGITS = 4

/** The whole number of an account opens transfers to strangers' eyes; its end is enough to tell it from another. */
function masked(number: string): string {
  return `••••${number.replace(/\W/g, '').slice(-SHOWN_DIGITS)}`
}

function isSameAccount(one: ConnectedAccount, other: ConnectedAccount): boolean {
  return one.number === other.number && one.currency === other.currency && one.type === other.type
}

/** Accounts as they are kept. What was known of them stays, also when a new link gave them other ids. */
export function keptAccounts(found: readonly BankAccount[], known: readonly ConnectedAccount[]): ConnectedAccount[] {
  return found.map((account) => {
    const kept: ConnectedAccount = {
      id: account.id,
      name: account.name,
      number: masked(account.number),
      type: account.type,
      currency: account.currency,
      balance: account.balance,
      refreshed_at: account.refreshed_at?.toISOString() ?? null,
      last_post_date: null,
      not_read: (BANK_CURRENCIES as readonly string[]).includes(account.currency) ? null : 'unsupported_currency',
    }
    const before = known.find((one) => one.id === account.id) ?? known.find((one) => isSameAccount(one, kept))
    return { ...kept, last_post_date: before?.last_post_date ?? null }
  })
}

/** The account as the person knows it, on each of its movements. */
export function labelOf({ institution }: Pick<ConnectionRow, 'institution'>, account: ConnectedAccount): string {
  return [institution?.name, account.name, account.number].filter(Boolean).join(' ')
}
