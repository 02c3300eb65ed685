import { invalidField, mapOrRefuse } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { issueDocument } from '../document/create.ts'
import { lockGuias } from '../document/guia-invoices.ts'
import type { Document } from '../document/schema.ts'
import type { DocumentRow } from '../document/show.ts'
import { buildFactura, type Guia } from './build.ts'
import { faultOf, notInvoiceable } from './rules.ts'
import type { InvoiceGuias } from './schema.ts'

function inOrder(ids: readonly string[], rows: readonly DocumentRow[]): DocumentRow[] {
  const found = new Map(rows.map((row) => [row.id, row]))
  return mapOrRefuse(ids, (id, index) => {
    const param = `guia_ids[${index}]`
    if (ids.indexOf(id) !== index) throw invalidField(param, 'it is there twice.')
    const row = found.get(id)
    if (!row) throw invalidField(param, 'no document of this empresa has this id.')
    return row
  })
}

function asGuia({ id, folio, issue_date, draft }: DocumentRow): Guia {
  if (folio === null) throw new Error(`${id} was accepted without a folio`)
  return { folio, issue_date, draft }
}

/** Issues one factura over several guías. They stay locked until it is there: none is invoiced twice. */
export async function invoiceGuias(ctx: EmpresaContext, { guia_ids, ...wishes }: InvoiceGuias): Promise<Document> {
  const rows = inOrder(guia_ids, await lockGuias(ctx.sql, ctx.empresa, guia_ids))
  const [first] = rows
  for (const [index, row] of rows.entries()) {
    const reason = first && faultOf(row, first)
    if (reason) throw notInvoiceable(reason, { param: `guia_ids[${index}]`, guia: row.id })
  }
  return issueDocument(ctx, buildFactura(rows.map(asGuia), wishes), { receptor_from: 'earlier_document' })
}
