import { type Fragment, name, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { ReceivedRow } from './show.ts'

/** Null when the empresa has a document of that emisor, tipo and folio already. */
export async function insertReceived(sql: Sql, row: ReceivedRow): Promise<ReceivedRow | null> {
  const [made] = await sql<ReceivedRow>`
    insert into received_document (account_id, empresa_id, mode, id, reception_id, status, receipt_status, emisor_rut,
      emisor_name, emisor_giro, tipo_dte, folio, issue_date, net, exempt, iva, total, payment_form, due_date, items,
      received_at, sii_received_at, deadline_at, claims, digest, authenticity, about_tipo, about_folio)
    values (${row.account_id}, ${row.empresa_id}, ${row.mode}, ${row.id}, ${row.reception_id}, ${row.status},
      ${row.receipt_status}, ${row.emisor_rut}, ${row.emisor_name}, ${row.emisor_giro}, ${row.tipo_dte}, ${row.folio},
      ${row.issue_date}, ${row.net}, ${row.exempt}, ${row.iva}, ${row.total}, ${row.payment_form}, ${row.due_date},
      ${JSON.stringify(row.items)}::json, ${row.received_at}, ${row.sii_received_at}, ${row.deadline_at},
      ${JSON.stringify(row.claims)}::json, ${row.digest}, ${JSON.stringify(row.authenticity)}::json,
      ${row.about_tipo}, ${row.about_folio})
    on conflict (empresa_id, emisor_rut, tipo_dte, folio) do nothing
    returning *`
  return made ?? null
}

export async function findReceived(sql: Sql, scope: EmpresaScope, id: string): Promise<ReceivedRow | null> {
  const [row] = await sql<ReceivedRow>`select * from received_document where ${ownedBy(scope)} and id = ${id}`
  return row ?? null
}

/** The same, locked until the transaction ends: what is decided on it stays true. */
export async function lockReceived(sql: Sql, scope: EmpresaScope, id: string): Promise<ReceivedRow | null> {
  const [row] =
    await sql<ReceivedRow>`select * from received_document where ${ownedBy(scope)} and id = ${id} for update`
  return row ?? null
}

export interface ReceivedKey {
  readonly emisor_rut: string
  readonly tipo_dte: number
  readonly folio: number
}

export async function findByKey(sql: Sql, scope: EmpresaScope, key: ReceivedKey): Promise<ReceivedRow | null> {
  const [row] = await sql<ReceivedRow>`
    select * from received_document where ${ownedBy(scope)} and emisor_rut = ${key.emisor_rut}
      and tipo_dte = ${key.tipo_dte} and folio = ${key.folio}`
  return row ?? null
}

/** Records that a warning went out; false when another run recorded it first. */
export async function recordWarning(sql: Sql, scope: EmpresaScope, id: string, days: number): Promise<boolean> {
  const rows = await sql<{ id: string }>`
    update received_document set deadline_told = ${days}
    where ${ownedBy(scope)} and id = ${id} and (deadline_told is null or deadline_told > ${days}) returning id`
  return rows.length > 0
}

export async function documentIdsOf(sql: Sql, scope: EmpresaScope, reception_id: string): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select id from received_document where ${ownedBy(scope)} and reception_id = ${reception_id} order by id`
  return rows.map(({ id }) => id)
}

export interface ReceivedFilter {
  readonly status?: string
  readonly emisor_rut?: string
  readonly tipo_dte?: number
  readonly folio?: number
  readonly 'issue_date[gte]'?: string
  readonly 'issue_date[lte]'?: string
  readonly 'received_at[gte]'?: string
  readonly 'received_at[lte]'?: string
  readonly 'deadline_at[gte]'?: string
  readonly 'deadline_at[lte]'?: string
}

/** A list is ordered by the date it is filtered by, so that one index serves both; otherwise by the arrival. */
export type ListOrder = 'issue_date' | 'deadline_at' | 'received_at'

export function orderOf(filter: ReceivedFilter): ListOrder {
  const filters = (column: string) => Object.keys(filter).some((key) => key.startsWith(`${column}[`))
  return (['issue_date', 'deadline_at'] as const).find(filters) ?? 'received_at'
}

export type Place = readonly [at: string, id: string]

function matching(filter: ReceivedFilter): Fragment {
  const { status, emisor_rut, tipo_dte, folio } = filter
  const bound = (column: Fragment, gte: string | undefined, lte: string | undefined) =>
    part`${gte === undefined ? nothing : part`and ${column} >= ${gte}`} ${lte === undefined ? nothing : part`and ${column} <= ${lte}`}`
  return part`
    ${status === undefined ? nothing : statusIs(status)}
    ${emisor_rut === undefined ? nothing : part`and emisor_rut = ${emisor_rut}`}
    ${tipo_dte === undefined ? nothing : part`and tipo_dte = ${tipo_dte}`}
    ${folio === undefined ? nothing : part`and folio = ${folio}`}
    ${bound(part`issue_date`, filter['issue_date[gte]'], filter['issue_date[lte]'])}
    ${bound(part`received_at`, filter['received_at[gte]'], filter['received_at[lte]'])}
    ${bound(part`deadline_at`, filter['deadline_at[gte]'], filter['deadline_at[lte]'])}`
}

// Written as two conditions, so that the short index of what did not lapse can serve it.
function statusIs(status: string): Fragment {
  return status === 'accepted_tacitly'
    ? part`and status = 'accepted_tacitly'`
    : part`and status = ${status} and status <> 'accepted_tacitly'`
}

/** Newest first, strictly older than a place. */
export async function listReceived(
  sql: Sql,
  scope: EmpresaScope,
  filter: ReceivedFilter,
  page: { place: Place | null; take: number },
): Promise<ReceivedRow[]> {
  const { place, take } = page
  const order = orderOf(filter)
  const [column, kind] = [name(order), name(order === 'issue_date' ? 'date' : 'timestamptz')]
  return sql<ReceivedRow>`
    select * from received_document where ${ownedBy(scope)} ${matching(filter)}
      ${place === null ? nothing : part`and (${column}, id) < (${place[0]}::${kind}, ${place[1]})`}
    order by ${column} desc, id desc limit ${take}`
}
