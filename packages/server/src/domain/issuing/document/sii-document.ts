import type { SiiDocument } from '../../../ports/sii-document.ts'
import type { DocumentRow } from './show.ts'

/** A numbered document as the SII knows it. */
export function asSiiDocument(row: DocumentRow): SiiDocument {
  const { id, tipo_dte, folio, receptor_rut, issue_date, total } = row
  if (folio === null) throw new Error(`the document ${id} has no folio`)
  return { id, tipo_dte, folio, receptor_rut, issue_date, total }
}
