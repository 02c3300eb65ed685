import { BANK_CURRENCIES } from '../../../catalog/bank.ts'
import type { BankAccount } from '../../../ports/bank.ts'
import type { ConnectedAccount } from './schema.ts'
import type { ConnectionRow } from './show.ts'

const SHOWN_DIGITS = 4

/** Only the end of the number is stored: enough to tell accounts apart, and of no use to a thief. */
function masked(number: string): string {
  return `••••${number.replace(/\W/g, '').slice(-SHOWN_DIGITS)}`
}

function isSameAccount(one: ConnectedAccount, other: ConnectedAccount): boolean {
  return one.number === other.number && one.currency === other.currency && one.type === other.type
}

/** Accounts as the provider lists them, with what was known of them: also where a new link gave them other ids. */
export function mergeAccounts(found: readonly BankAccount[], known: readonly ConnectedAccount[]): ConnectedAccount[] {
  return found.map((account) => {
    const fresh: ConnectedAccount = {
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
    const before = known.find((one) => one.id === account.id) ?? known.find((one) => isSameAccount(one, fresh))
    return { ...fresh, last_post_date: before?.last_post_date ?? null }
  })
}

/** The name of the account on its movements. */
export function labelOf({ institution }: Pick<ConnectionRow, 'institution'>, account: ConnectedAccount): string {
  return [institution?.name, account.name, account.number].filter(Boolean).join(' ')
}
