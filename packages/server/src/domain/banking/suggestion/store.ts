import { nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { facturasDeCompra } from '../../issuing/document/payable.ts'
import { sendersIn } from '../../receiving/received-document/payable.ts'
import { sellersIn } from '../../tax/rcv/payable.ts'
import { isOfStanding, isUnpaid, lockSourceOf } from '../movement/sql.ts'
import type { SuggestionRow } from './show.ts'

// What was settled is remembered, whoever told the movement.
const remains = (scope: EmpresaScope) => part`(status <> 'open' or ${isOfStanding(part`movement_id`, scope)})`

export async function findSuggestion(sql: Sql, scope: EmpresaScope, id: string): Promise<SuggestionRow | null> {
  const [row] = await sql<SuggestionRow>`
    select * from suggestion where ${ownedBy(scope)} and id = ${id} and ${remains(scope)}`
  return row ?? null
}

/** The same, locked until the transaction ends. */
export async function lockSuggestion(sql: Sql, scope: EmpresaScope, id: string): Promise<SuggestionRow | null> {
  const found = await findSuggestion(sql, scope, id)
  if (!found) return null
  await sql`${lockSourceOf(found.movement_id, scope)}`
  const [row] = await sql<SuggestionRow>`
    select * from suggestion where ${ownedBy(scope)} and id = ${id} and ${remains(scope)} for update`
  return row ?? null
}

export interface SuggestionFilter {
  readonly status?: string
  readonly type?: string
  readonly period?: string
}

/** Newest first, strictly older than a place. */
export function listSuggestions(
  sql: Sql,
  scope: EmpresaScope,
  { status, type, period }: SuggestionFilter,
  page: { before: string | null; take: number },
): Promise<SuggestionRow[]> {
  return sql<SuggestionRow>`
    select * from suggestion where ${ownedBy(scope)} and ${remains(scope)}
      ${status === undefined ? nothing : part`and status = ${status}`}
      ${type === undefined ? nothing : part`and type = ${type}`}
      ${period === undefined ? nothing : part`and period = ${period}`}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}

export type NewSuggestion = Pick<
  SuggestionRow,
  | 'id'
  | 'status'
  | 'period'
  | 'provider'
  | 'movement_id'
  | 'post_date'
  | 'amount'
  | 'currency'
  | 'description'
  | 'register_read'
  | 'document_id'
  | 'withdrawn_because'
>

/**
 * Writes suggestions. One about a movement that changed since follows it while it is open; a settled one stays as it
 * was settled.
 */
export function upsertSuggestions(
  sql: Sql,
  { account_id, empresa_id, mode }: EmpresaScope,
  found: readonly NewSuggestion[],
  at: Date,
): Promise<(SuggestionRow & { readonly fresh: boolean })[]> {
  return sql<SuggestionRow & { fresh: boolean }>`
    insert into suggestion as s (account_id, empresa_id, mode, type, id, period, provider, movement_id, post_date, amount,
      currency, description, register_read, status, document_id, withdrawn_because, created_at, settled_at)
    select ${account_id}, ${empresa_id}, ${mode}, 'emit_46', f.id, f.period, f.provider, f.movement_id, f.post_date,
      f.amount, f.currency, f.description, f.register_read, f.status, f.document_id, f.withdrawn_because,
      ${at}::timestamptz, case when f.status <> 'open' then ${at}::timestamptz end
    from json_to_recordset(${JSON.stringify(found)}::json) as f (id text, period text, provider text, movement_id text,
      post_date date, amount bigint, currency text, description text, register_read boolean, status text,
      document_id text, withdrawn_because text)
    on conflict (movement_id) do update set period = excluded.period, provider = excluded.provider,
      post_date = excluded.post_date, amount = excluded.amount, currency = excluded.currency,
      description = excluded.description, register_read = excluded.register_read
    where s.status = 'open'
    returning s.*, s.xmax = 0 as fresh`
}

/** A provider, or an amount to it, that somebody does not want suggested again. */
export interface Dismissed {
  readonly provider: string
  readonly scope: 'once' | 'provider'
  readonly amount: number
  readonly currency: string
}

export function findDismissed(sql: Sql, scope: EmpresaScope, providers: readonly string[]): Promise<Dismissed[]> {
  return sql<Dismissed>`
    select distinct provider, dismissal ->> 'scope' as scope, amount, currency from suggestion
    where ${ownedBy(scope)} and status = 'dismissed' and provider = any(${providers}::text[])`
}

/** Ids of open suggestions, of a provider or about movements. */
export async function listOpenIds(
  sql: Sql,
  scope: EmpresaScope,
  about: { readonly provider?: string; readonly movement_ids?: readonly string[] },
): Promise<string[]> {
  const { provider, movement_ids } = about
  const rows = await sql<{ id: string }>`
    select id from suggestion where ${ownedBy(scope)} and status = 'open' and ${remains(scope)}
      ${provider === undefined ? nothing : part`and provider = ${provider}`}
      ${movement_ids === undefined ? nothing : part`and movement_id = any(${movement_ids}::text[])`}
    order by id`
  return rows.map(({ id }) => id)
}

/** Every suggestion that waits for a decision. */
export function listOpen(sql: Sql, scope: EmpresaScope): Promise<SuggestionRow[]> {
  return sql<SuggestionRow>`
    select * from suggestion where ${ownedBy(scope)} and status = 'open' and ${remains(scope)} order by id`
}

/** Records that the register of the month of some suggestions was read since. */
export async function markRegisterRead(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`update suggestion set register_read = true where ${ownedBy(scope)} and id = any(${ids}::text[])`
}

export interface Seller {
  readonly period: string
  readonly name: string
}

/** Everybody in the register of purchases of some months, or who sent us a document in them. */
export function listSellers(sql: Sql, scope: EmpresaScope, periods: readonly string[]): Promise<Seller[]> {
  return sql<Seller>`${sellersIn(scope, periods)} union ${sendersIn(scope, periods)}`
}

export interface IssuedByHand {
  readonly id: string
  readonly period: string
  readonly net: number
  readonly name: string
}

/** Facturas de compra of some months that stand for no payment yet. */
export function listIssuedByHand(sql: Sql, scope: EmpresaScope, periods: readonly string[]): Promise<IssuedByHand[]> {
  return sql<IssuedByHand>`
    select d.* from (${facturasDeCompra(scope, periods)}) d
    where not exists (
      select 1 from suggestion s where s.empresa_id = ${scope.empresa_id} and s.document_id = d.id)
      and ${isUnpaid(part`d.id`, scope)}
    order by d.id`
}
