import { TIPO } from '@timbre/dte/values'
import { type Fragment, integers, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { DEFAULT_DAYS } from '../../issuing/document/due-date.ts'
import { OWED } from './balance.ts'
import type { ReceivedRow } from './show.ts'

// The arithmetic of `balance.ts`, for statements.
const PENDING = part`greatest(0, r.total - r.credited_amount - r.paid_amount)`
const DUE = part`coalesce(r.due_date, r.issue_date + case when r.payment_form = 'cash' then 0 else ${DEFAULT_DAYS}::int end)`
const IN_FORCE = part`r.paid_at is null and r.status <> 'rejected' and r.payment_form is distinct from 'free'
  and r.tipo_dte in ${integers(OWED)}
  and not (r.tipo_dte = ${TIPO.nota_de_debito} and r.about_tipo is not distinct from ${TIPO.nota_de_credito})`

/** Selects `id, rut, name, due_date, pending` of documents of suppliers that we owe. */
export function openReceived(scope: EmpresaScope): Fragment {
  return part`select r.id, r.emisor_rut as rut, r.emisor_name as name, ${DUE} as due_date, ${PENDING} as pending
    from received_document r where ${ownedBy(scope, 'r')} and ${IN_FORCE} and ${PENDING} > 0`
}

/** Marks those that payments settled just now, and gives them. */
export async function markPaidReceived(
  sql: Sql,
  scope: EmpresaScope,
  ids: readonly string[] | 'all',
  at: Date,
): Promise<ReceivedRow[]> {
  if (ids.length === 0) return []
  return sql<ReceivedRow>`
    update received_document r set paid_at = ${at}
    where ${ownedBy(scope, 'r')} ${ids === 'all' ? nothing : part`and r.id = any(${ids}::text[])`} and ${IN_FORCE} and r.paid_amount > 0 and ${PENDING} = 0
    returning *`
}

/** Marks those that fell due before a day and were not told yet, `most` at a time. */
export function markOverdueReceived(sql: Sql, scope: EmpresaScope, before: string, at: Date, most: number) {
  return sql<ReceivedRow>`
    update received_document set overdue_at = ${at} where id in (
      select r.id from received_document r
      where ${ownedBy(scope, 'r')} and ${IN_FORCE} and r.overdue_at is null and ${DUE} < ${before} and ${PENDING} > 0
      order by r.id limit ${most} for update)
    returning *`
}

/** Whether something is open that may still fall due. */
export function awaitsDueDate(scope: EmpresaScope): Fragment {
  return part`exists (
    select 1 from received_document r where ${ownedBy(scope, 'r')} and ${IN_FORCE} and r.overdue_at is null)`
}
