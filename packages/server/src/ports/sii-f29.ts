import type { EmpresaScope } from '../kernel/scope.ts'

export interface F29Question {
  readonly empresa: EmpresaScope
  /** `YYYY-MM` */
  readonly period: string
  readonly at: Date
}

export interface F29Order extends F29Question {
  /** Our own id: the same one twice is one declaration. */
  readonly filing_id: string
  /** The upload file of the SII. */
  readonly file: Uint8Array
  readonly total: number
}

/** What the SII made of a declaration. */
export type F29State =
  | { readonly state: 'pending'; readonly ask_at: Date }
  | { readonly state: 'accepted'; readonly folio: string }
  | { readonly state: 'refused'; readonly errors: readonly { readonly code: string; readonly message: string }[] }

/**
 * The SII shows the F29 of a company to a session of that company alone, unlike its registers: none that can be opened
 * with what is in custody is one.
 */
export const F29_NOT_SHOWN = 'not_shown'

export type F29Proposed = readonly { readonly code: number; readonly amount: number }[] | null | typeof F29_NOT_SHOWN

/** The monthly declaration at the SII. */
export interface SiiF29 {
  /** The codes that the SII itself proposes for a period (listCodPropuestos), or null where it proposes none. */
  proposedF29(question: F29Question): Promise<F29Proposed>
  /** Hands a declaration over. */
  fileF29(order: F29Order): Promise<{ readonly track_id: string; readonly ask_at: Date }>
  f29StateOf(question: F29Question & { readonly filing_id: string; readonly track_id: string }): Promise<F29State>
}
