import { BOLETAS } from '../tipos.ts'

/**
 * How many folios the SII gives. What is public: it compares the folios that were stamped and not used with what the
 * taxpayer uses, refuses when too many lie unused, tells the most that one request may ask (`MAX_AUTOR`) and what is
 * available (`FOLIOS_DISP`), and an annulment counts against the taxpayer for about six months. The numbers are ours.
 */
export interface FolioUse {
  /** Folios given out, never received in a document nor annulled, and not expired. */
  readonly unused: number
  /** Folios received in documents during the last half year. */
  readonly used: number
  /** Annulments during the last half year. */
  readonly annulments: number
}

export interface Ration {
  readonly max_per_request: number
  readonly refused: boolean
}

export const HALF_YEAR_MS = 182 * 86_400_000

/** A newcomer's range, and the least that anybody in order gets. */
const FIRST_RANGE = 100
/** Boletas are counted by thousands. */
const FIRST_BOLETAS = 1000

export function rationFor(tipo: number, use: FolioUse, cap?: number): Ration {
  const first = BOLETAS.includes(tipo) ? FIRST_BOLETAS : FIRST_RANGE
  // Half a year's use is allowed in stock; each annulment takes a fifth of it away, down to a fifth.
  const factor = Math.max(0.2, 1 - use.annulments * 0.2)
  const allowed = Math.max(1, Math.floor((first + use.used) * factor))
  const max = Math.min(cap ?? Number.MAX_SAFE_INTEGER, allowed - use.unused)
  return { max_per_request: Math.max(0, max), refused: max < 1 }
}
