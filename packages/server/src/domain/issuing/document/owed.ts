import { TIPO } from '@timbre/dte/values'
import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { DocumentRow } from './show.ts'

// The arithmetic of `balance.ts`, for statements.
const PENDING = part`greatest(0, d.owed_amount - d.credited_amount - d.paid_amount - case
  when d.cesion_status = 'confirmed' then coalesce((d.cesion ->> 'amount')::bigint, d.owed_amount) else 0 end)`
const IN_FORCE = part`d.owed_amount > 0 and d.paid_at is null and d.status in ('sent', 'accepted', 'reparo')`
const SIDES = {
  receivable: part`d.tipo_dte <> ${TIPO.factura_de_compra}`,
  // In a factura de compra the emisor is the buyer: we owe it.
  payable: part`d.tipo_dte = ${TIPO.factura_de_compra}`,
}

/** Selects `id, rut, name, due_date, pending` of documents of ours that somebody owes us, or that we owe somebody. */
export function openDocuments(scope: EmpresaScope, side: keyof typeof SIDES): Fragment {
  return part`select d.id, d.receptor_rut as rut, d.draft #>> '{receptor,legal_name}' as name, d.due_date,
      ${PENDING} as pending
    from document d where ${ownedBy(scope, 'd')} and ${IN_FORCE} and ${SIDES[side]} and ${PENDING} > 0`
}

/** Marks those that payments settled just now, and gives them. */
export async function markPaidDocuments(
  sql: Sql,
  scope: EmpresaScope,
  ids: readonly string[] | 'all',
  at: Date,
): Promise<DocumentRow[]> {
  if (ids.length === 0) return []
  // One that waits for its folio may be paid: a factura de compra is issued for a payment.
  return sql<DocumentRow>`
    update document d set paid_at = ${at}
    where ${ownedBy(scope, 'd')} ${ids === 'all' ? nothing : part`and d.id = any(${ids}::text[])`} and d.owed_amount > 0
      and d.paid_at is null and d.status not in ('rejected', 'failed', 'annulled') and d.paid_amount > 0 and ${PENDING} = 0
    returning *`
}

// In the order of their ids, spelt so that no plan walks everybody's documents by id until it has found enough of this empresa.
const BY_ID = part`d.id || ''`

/** Marks those that fell due before a day and were not told yet, `most` at a time. */
export function markOverdueDocuments(sql: Sql, scope: EmpresaScope, before: string, at: Date, most: number) {
  return sql<DocumentRow>`
    update document set overdue_at = ${at} where id in (
      select d.id from document d
      where ${ownedBy(scope, 'd')} and ${IN_FORCE} and d.overdue_at is null and d.due_date < ${before} and ${PENDING} > 0
      order by ${BY_ID} limit ${most} for update)
    returning *`
}

/** Whether something is open that may still fall due. */
export function awaitsDueDate(scope: EmpresaScope): Fragment {
  return part`exists (select 1 from document d where ${ownedBy(scope, 'd')} and ${IN_FORCE} and d.overdue_at is null)`
}
