import { part, type Sql } from '../../../kernel/db.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { ENTRIES_RECEIVED } from '../../tax/rcv/payable.ts'
import type { MatchFacts, MovementScope } from './row.ts'
import { isOfStanding } from './sql.ts'

export interface Link {
  readonly movement_id: string
  readonly target_id: string
  readonly amount: number
}

/** The documents that movements pay. */
export function linksOf(sql: Sql, scope: MovementScope, movement_ids: readonly string[]): Promise<Link[]> {
  return sql<Link>`
    select movement_id, target_id, amount from movement_match x
    where ${ownedBy(scope, 'x')} and movement_id = any(${movement_ids}::text[]) order by movement_id, target_id`
}

/** The movements that pay a document. */
export function linksTo(sql: Sql, scope: MovementScope, target_id: string): Promise<Link[]> {
  return sql<Link>`
    select movement_id, target_id, amount from movement_match x
    where ${ownedBy(scope, 'x')} and target_id = ${target_id} and ${isOfStanding(part`x.movement_id`, scope)}`
}

/** A match to be written: a movement, the documents it pays, and why. */
export interface NewMatch {
  readonly movement_id: string
  readonly targets: readonly { readonly id: string; readonly amount: number }[]
  readonly facts: MatchFacts
}

const only = (targets: NewMatch['targets'], prefix: string) =>
  targets.find(({ id }) => id.startsWith(prefix))?.id ?? null

export async function writeMatches(sql: Sql, scope: MovementScope, matches: readonly NewMatch[]): Promise<void> {
  if (matches.length === 0) return
  const { account_id, empresa_id, mode } = scope
  const links = matches.flatMap(({ movement_id, targets }) =>
    targets.map(({ id, amount }) => ({ movement_id, id, amount })),
  )
  const rows = matches.map(({ movement_id, targets, facts }) => ({
    movement_id,
    facts,
    document_id: only(targets, 'doc_'),
    received_document_id: only(targets, 'rcd_'),
  }))
  await sql`
    insert into movement_match (account_id, empresa_id, mode, movement_id, target_id, amount)
    select ${account_id}, ${empresa_id}, ${mode}, l.movement_id, l.id, l.amount
    from json_to_recordset(${JSON.stringify(links)}::json) as l (movement_id text, id text, amount bigint)
    on conflict (movement_id, target_id) do update set amount = excluded.amount`
  await sql`
    update movement m set match = r.facts, matched_document_id = coalesce(r.document_id, m.matched_document_id),
      matched_received_document_id = coalesce(r.received_document_id, m.matched_received_document_id)
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r (movement_id text, facts jsonb, document_id text, received_document_id text)
    where ${ownedBy(scope, 'm')} and m.id = r.movement_id`
}

/** Points matches with entries of the register to the documents of those, once they are here; gives these. */
export async function repointToDocuments(sql: Sql, scope: MovementScope): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    with arrived as (
      update movement_match x set target_id = e.received_document_id from (${ENTRIES_RECEIVED}) e
      where ${ownedBy(scope, 'x')} and x.target_id >= 'rcv_' and x.target_id < 'rcv_~' and e.id = x.target_id
      returning x.movement_id, x.target_id
    )
    update movement m set matched_received_document_id = a.target_id from arrived a
    where ${ownedBy(scope, 'm')} and m.id = a.movement_id returning a.target_id as id`
  return rows.map(({ id }) => id)
}

/** Takes movements and the documents they pay apart. */
export async function deleteMatches(sql: Sql, scope: MovementScope, movement_ids: readonly string[]): Promise<Link[]> {
  if (movement_ids.length === 0) return []
  await sql`
    update movement m set match = null, matched_document_id = null, matched_received_document_id = null
    where ${ownedBy(scope, 'm')} and m.id = any(${movement_ids}::text[]) and m.match is not null`
  return sql<Link>`
    delete from movement_match x where ${ownedBy(scope, 'x')} and movement_id = any(${movement_ids}::text[])
    returning movement_id, target_id, amount`
}

/** Records pairs that somebody took apart: they are not matched or merged automatically again. */
export async function saveKeptApart(sql: Sql, scope: MovementScope, links: readonly Link[], at: Date): Promise<void> {
  await sql`
    insert into movement_kept_apart (account_id, empresa_id, mode, movement_id, target_id, at)
    select ${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, l.movement_id, l.target_id, ${at}::timestamptz
    from json_to_recordset(${JSON.stringify(links)}::json) as l (movement_id text, target_id text)
    on conflict (movement_id, target_id) do nothing`
}

export async function deleteKeptApart(
  sql: Sql,
  scope: MovementScope,
  movement_id: string,
  target_id: string,
): Promise<void> {
  await sql`
    delete from movement_kept_apart u
    where ${ownedBy(scope, 'u')} and movement_id = ${movement_id} and target_id = ${target_id}`
}

/** Pairs that were taken apart, of some movements, as `movement target`. */
export async function findKeptApart(
  sql: Sql,
  scope: MovementScope,
  movement_ids: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ pair: string }>`
    select movement_id || ' ' || target_id as pair from movement_kept_apart u
    where ${ownedBy(scope, 'u')} and movement_id = any(${movement_ids}::text[])`
  return new Set(rows.map(({ pair }) => pair))
}
