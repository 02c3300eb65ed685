/** How bank connections are read. */
export const BANK = {
  /** How long a person has to link the bank on the page: as long as the provider's own token lives. */
  link_seconds: 30 * 60,
  /** The provider asks a bank anew at most this often. */
  refresh_seconds: 300,
  /** Movements are told late and edited: each reading begins so many days before the last one that is known. */
  overlap_days: 10,
  /** How far back the first reading of an account goes. */
  first_days: 90,
  /** How long a refresh is waited for before what there is gets read. */
  patience_seconds: 300,
  /** A notice that was signed longer ago, or so far ahead, is not taken: it may be an old one that somebody kept. */
  notice_tolerance_seconds: 300,
  accounts: 100,
} as const

/** Currencies whose smallest unit is known here: pesos have none smaller, the others have cents. */
export const BANK_CURRENCIES = ['CLP', 'USD', 'EUR'] as const
