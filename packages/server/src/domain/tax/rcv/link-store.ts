import { part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'

// What we issue is a sale, but for a factura de compra and the notas about one. A supplier may well be a client too, and
// its folios run beside ours.
const ISSUED_AS_PURCHASE = part`(d.tipo_dte = 46 or coalesce(d.draft #>> '{references,0,tipo_dte}', '') = '46')`

/** Ties entries to the documents they tell of, ours and our suppliers', wherever they are not tied yet. */
export async function linkDocuments(sql: Sql, scope: EmpresaScope, period: string): Promise<void> {
  const { account_id, empresa_id, mode } = scope
  await sql`
    update rcv_entry t set document_id = d.id from document d
    where t.account_id = ${account_id} and t.empresa_id = ${empresa_id} and t.mode = ${mode} and t.period = ${period}
      and t.document_id is null and t.folio is not null
      and d.account_id = ${account_id} and d.empresa_id = ${empresa_id} and d.mode = ${mode}
      and d.tipo_dte = t.tipo_doc and d.folio = t.folio and d.receptor_rut = t.counterparty_rut
      and (t.side = 'purchase') = ${ISSUED_AS_PURCHASE}`
  await sql`
    update rcv_entry t set received_document_id = r.id from received_document r
    where t.account_id = ${account_id} and t.empresa_id = ${empresa_id} and t.mode = ${mode} and t.period = ${period}
      and t.side = 'purchase' and t.received_document_id is null and t.folio is not null
      and r.account_id = ${account_id} and r.empresa_id = ${empresa_id} and r.mode = ${mode}
      and r.emisor_rut = t.counterparty_rut and r.tipo_dte = t.tipo_doc and r.folio = t.folio`
}
