/** A document as the SII knows it, with our own id beside. */
export interface SiiDocument {
  readonly id: string
  readonly tipo_dte: number
  readonly folio: number
  readonly receptor_rut: string
  readonly issue_date: string
  readonly total: number
}

/** What the SII decided about a document, in its own words. */
export interface SiiVerdict {
  readonly outcome: 'accepted' | 'reparo' | 'rejected'
  readonly estado: string
  /** The finding it names, such as DTE-3-101. */
  readonly finding: string | null
  readonly glosa: string
}
