/** A document as the SII knows it, with our own id beside. */
export interface SiiDocument {
  readonly id: string
  readonly tipo_dte: number
  readonly folio: number
  readonly receptor_rut: string
  readonly issue_date: string
  readonly total: number
}
