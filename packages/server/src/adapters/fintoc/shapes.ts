import { isCivilDate, isRut } from '@timbre/dte/values'
import { BANK, BANK_CURRENCIES } from '../../catalog/bank.ts'
import { type BankAccount, BankFailure, type BankLink, type BankMovement } from '../../ports/bank.ts'

export type Loose = Readonly<Record<string, unknown>>

function unreadable(what: string): BankFailure {
  return new BankFailure('unreadable', `Fintoc answered without a usable ${what}`)
}

export function objectOf(value: unknown, what: string): Loose {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw unreadable(what)
  return value as Loose
}

export function listOf(value: unknown, what: string): readonly Loose[] {
  if (!Array.isArray(value)) throw unreadable(what)
  return value.map((one) => objectOf(one, what))
}

const ID = /^[\w-]{1,100}$/

export function idOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || !ID.test(value)) throw unreadable(what)
  return value
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]+/g

/** Text of a bank, in one line that can be stored, however odd. */
export function lineOf(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null
  const line = value.toWellFormed().replace(CONTROL, ' ').replace(/\s+/g, ' ').trim().slice(0, max).toWellFormed()
  return line === '' ? null : line
}

/** `holder_id` comes without dots or dash, and is "possibly wrong": a number that is no RUT is left out. */
export function rutOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const bare = value
    .replace(/[.\s-]/g, '')
    .replace(/^0+/, '')
    .toUpperCase()
  const rut = `${bare.slice(0, -1)}-${bare.slice(-1)}`
  return isRut(rut) ? rut : null
}

/** Whole units only. What is not an integer is not money here, and is refused rather than rounded. */
function amountOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unreadable('amount')
  return value
}

const balanceOf = (value: unknown) => (typeof value === 'number' && Number.isSafeInteger(value) ? value : null)

/** In a currency whose smallest unit is not known here an amount says nothing. */
function currencyOf(value: unknown): string {
  const known = BANK_CURRENCIES.find((currency) => currency === value)
  if (known === undefined) throw unreadable('currency')
  return known
}

function instantOf(value: unknown): Date | null {
  const at = typeof value === 'string' ? new Date(value) : null
  return at && !Number.isNaN(at.getTime()) ? at : null
}

export function dayOf(value: unknown): string | null {
  const day = typeof value === 'string' ? value.slice(0, 10) : ''
  return isCivilDate(day) ? day : null
}

function accountOf(raw: Loose): BankAccount {
  const balance = objectOf(raw.balance ?? {}, 'balance')
  const id = idOf(raw.id, 'account id')
  return {
    id,
    name: lineOf(raw.name, 100) ?? lineOf(raw.official_name, 100) ?? 'Cuenta',
    number: lineOf(raw.number, 40) ?? id,
    type: lineOf(raw.type, 40) ?? 'other',
    currency: lineOf(raw.currency, 8)?.toUpperCase() ?? 'unknown',
    balance: { available: balanceOf(balance.available), current: balanceOf(balance.current) },
    refreshed_at: instantOf(raw.refreshed_at),
  }
}

export function accountsOf(json: unknown): BankAccount[] {
  const accounts = listOf(json, 'list of accounts')
  if (accounts.length > BANK.accounts) throw unreadable('list of accounts: there are too many')
  return accounts.map(accountOf)
}

export function linkOf(json: unknown): BankLink {
  const raw = objectOf(json, 'link')
  const institution = objectOf(raw.institution, 'institution')
  const link_token = raw.link_token
  if (typeof link_token !== 'string' || !/^[\w-]{8,400}$/.test(link_token)) throw unreadable('link token')
  return {
    link_id: idOf(raw.id, 'link id'),
    link_token,
    institution: {
      id: idOf(institution.id, 'institution id'),
      name: lineOf(institution.name, 100) ?? String(institution.id),
    },
    holder_rut: rutOf(raw.holder_id),
    accounts: accountsOf(raw.accounts ?? []),
  }
}

/** Null for what is not money that moved: pending, reversed or told twice. */
export function movementOf(raw: Loose): BankMovement | null {
  const id = idOf(raw.id, 'movement id')
  if (raw.pending === true || (typeof raw.status === 'string' && raw.status !== 'confirmed')) return null
  const amount = amountOf(raw.amount)
  const post_date = dayOf(raw.post_date)
  if (post_date === null) throw unreadable('post date')
  const other = amount > 0 ? raw.sender_account : raw.recipient_account
  const whom = objectOf(other ?? {}, 'counterparty')
  return {
    id,
    post_date,
    amount,
    currency: currencyOf(raw.currency),
    description: lineOf(raw.description, 500) ?? lineOf(raw.type, 40) ?? 'Sin descripción',
    counterparty_rut: rutOf(whom.holder_id),
    counterparty_name: lineOf(whom.holder_name, 100),
  }
}
