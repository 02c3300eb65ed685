import { listed, nothing, part, type Sql } from '../../../../kernel/db.ts'
import type { EmpresaScope } from '../../../../kernel/scope.ts'
import { type Days, payableDocuments, payableDocumentsById } from '../../../issuing/document/payable.ts'
import { payableReceived, payableReceivedById } from '../../../receiving/received-document/payable.ts'
import { entriesAlone, payableEntries, payableEntriesById } from '../../../tax/rcv/payable.ts'
import { isUnpaid } from '../sql.ts'
import { type Arrival, type Target, targetKindOf } from './target.ts'

/** Targets of an amount, or of somebody whose documents may add up to it. */
export interface Search extends Days {
  readonly amounts: readonly number[]
  readonly ruts: readonly string[]
}

const SELECT = { document: payableDocuments, received_document: payableReceived, rcv_entry: payableEntries }
const BY_ID = {
  document: payableDocumentsById,
  received_document: payableReceivedById,
  rcv_entry: payableEntriesById,
}

/** Documents of one kind that no movement paid yet. */
function findUnpaid(sql: Sql, scope: EmpresaScope, kind: keyof typeof SELECT, search: Search): Promise<Target[]> {
  // Subqueries and not `= any`: they are hashed, whereas a list would be walked for every document.
  return sql<Target>`
    select t.* from (${SELECT[kind](scope, search)}) t
    where (t.total in (select ${listed.bigint(search.amounts)}) or t.rut in (select ${listed.text(search.ruts)}))
      and ${isUnpaid(part`t.id`, scope)}`
}

/** Documents of ours that no movement paid yet. */
export function findUnpaidDocuments(sql: Sql, scope: EmpresaScope, search: Search): Promise<Target[]> {
  return findUnpaid(sql, scope, 'document', search)
}

/** The same of suppliers: what they sent us, and what the register alone knows. */
export async function findUnpaidPurchases(sql: Sql, scope: EmpresaScope, search: Search): Promise<Target[]> {
  const received = await findUnpaid(sql, scope, 'received_document', search)
  return [...received, ...(await findUnpaid(sql, scope, 'rcv_entry', search))]
}

/** Targets by their ids. `lock` keeps others from paying them until the transaction ends. */
export async function findTargets(
  sql: Sql,
  scope: EmpresaScope,
  kind: keyof typeof BY_ID,
  ids: readonly string[],
  { lock = false } = {},
): Promise<Target[]> {
  if (ids.length === 0) return []
  return sql<Target>`${BY_ID[kind](scope, ids)} ${lock ? part`for no key update` : nothing}`
}

/** Documents of ours and of suppliers that arrived, by their ids. */
export async function findArrived(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<Arrival[]> {
  const kinds = ['document', 'received_document'] as const
  const found = kinds.map((kind) =>
    findTargets(
      sql,
      scope,
      kind,
      ids.filter((id) => targetKindOf(id) === kind),
    ),
  )
  return (await Promise.all(found)).flat()
}

/** Purchases of some months that the register alone knows. */
export async function findPeriod(sql: Sql, scope: EmpresaScope, periods: readonly string[]): Promise<Arrival[]> {
  return periods.length === 0 ? [] : sql<Arrival>`${entriesAlone(scope, periods)}`
}
