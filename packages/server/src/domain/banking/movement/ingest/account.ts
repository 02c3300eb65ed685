/** The marks of an account beside its currency, as far as its source gives them. */
export interface AccountMark {
  /** The last four digits of its number: connections keep no more of it. */
  readonly tail: string | null
  readonly bank: string | null
}

const TAIL_DIGITS = 4

/** The end of the number in the name of an account; null where no number is in it. */
export function tailIn(bank_account: string): string | null {
  const digits = bank_account.replace(/\D/g, '')
  return digits.length >= TAIL_DIGITS ? digits.slice(-TAIL_DIGITS) : null
}

// Capital letters without accents or marks. Former names of a bank count as its own.
const BANKS: readonly (readonly [string, RegExp])[] = [
  ['chile', /\bBANCO (DE )?CHILE\b|\bEDWARDS\b/],
  ['santander', /\bSANTANDER\b|\bBANEFE\b/],
  ['bci', /\bBCI\b|\bCREDITO E INVERSIONES\b/],
  ['estado', /\bBANCO ?ESTADO\b|\bBANCO DEL ESTADO\b|\bCUENTA ?RUT\b/],
  ['itau', /\bITAU\b|\bCORPBANCA\b/],
  ['scotiabank', /\bSCOTIABANK\b|\bSCOTIA\b/],
  ['security', /\bBANCO SECURITY\b/],
  ['bice', /\bBICE\b/],
  ['falabella', /\bFALABELLA\b/],
  ['ripley', /\bRIPLEY\b/],
  ['consorcio', /\bCONSORCIO\b/],
  ['internacional', /\bBANCO INTERNACIONAL\b/],
  ['coopeuch', /\bCOOPEUCH\b/],
]

/** The one bank that a text names; null where it names none, or two. */
export function bankIn(text: string): string | null {
  const words = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, ' ')
  const [bank, ...others] = BANKS.filter(([, written]) => written.test(words)).map(([key]) => key)
  return others.length === 0 ? (bank ?? null) : null
}

/** Whether two accounts of one currency are the same; certain only where both have a number. */
export function isSameAccount(one: AccountMark, other: AccountMark): 'yes' | 'maybe' | 'no' {
  if (one.bank !== null && other.bank !== null && one.bank !== other.bank) return 'no'
  if (one.tail === null || other.tail === null) return 'maybe'
  return one.tail === other.tail ? 'yes' : 'no'
}
