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

/** The monthly declaration at the SII. */
export interface SiiF29 {
  /** The codes that the SII itself proposes for a period (listCodPropuestos), or null where it proposes none. */
  proposedF29(question: F29Question): Promise<readonly { readonly code: number; readonly amount: number }[] | null>
  /** Hands a declaration over. */
  fileF29(order: F29Order): Promise<{ readonly track_id: string; readonly ask_at: Date }>
  f29StateOf(question: F29Question & { readonly filing_id: string; readonly track_id: string }): Promise<F29State>
}
