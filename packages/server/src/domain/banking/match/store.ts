import { type Fragment, name, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { MatchFacts, MovementRow } from './row.ts'

export function of({ account_id, empresa_id, mode }: EmpresaScope, alias: string): Fragment {
  const table = name(alias)
  return part`${table}.account_id = ${account_id} and ${table}.empresa_id = ${empresa_id} and ${table}.mode = ${mode}`
}

export async function findMovement(sql: Sql, scope: EmpresaScope, id: string): Promise<MovementRow | null> {
  const [row] = await sql<MovementRow>`select * from movement m where ${of(scope, 'm')} and m.id = ${id}`
  return row ?? null
}

/** The same, held until the transaction ends. */
export async function lockMovement(sql: Sql, scope: EmpresaScope, id: string): Promise<MovementRow | null> {
  const [row] = await sql<MovementRow>`select * from movement m where ${of(scope, 'm')} and m.id = ${id} for update`
  return row ?? null
}

export interface MovementFilter {
  readonly from?: string
  readonly to?: string
  readonly direction?: 'in' | 'out'
  readonly matched?: boolean
  readonly suspected?: boolean
  readonly source?: string
  readonly currency?: string
}

export type Place = readonly [post_date: string, id: string]

// Written out, so that the index of each of them can serve it.
const DIRECTIONS = { in: part`and m.amount > 0`, out: part`and m.amount < 0` }
const SUSPECTED = { true: part`and m.duplicate_of is not null`, false: part`and m.duplicate_of is null` }
const MATCHED = { true: part`and m.match is not null`, false: part`and m.match is null` }

function matching({ from, to, direction, matched, suspected, source, currency }: MovementFilter): Fragment {
  return part`
    ${from === undefined ? nothing : part`and m.post_date >= ${from}`}
    ${to === undefined ? nothing : part`and m.post_date <= ${to}`}
    ${direction === undefined ? nothing : DIRECTIONS[direction]}
    ${matched === undefined ? nothing : MATCHED[`${matched}`]}
    ${suspected === undefined ? nothing : SUSPECTED[`${suspected}`]}
    ${source === undefined ? nothing : part`and m.source_type = ${source}`}
    ${currency === undefined ? nothing : part`and m.currency = ${currency}`}`
}

/** Latest first, strictly before a place. What its bank took back is not listed. */
export function listMovementRows(
  sql: Sql,
  scope: EmpresaScope,
  filter: MovementFilter,
  { place, take }: { place: Place | null; take: number },
): Promise<MovementRow[]> {
  return sql<MovementRow>`
    select * from movement m where ${of(scope, 'm')} and m.removed_at is null ${matching(filter)}
      ${place === null ? nothing : part`and (m.post_date, m.id) < (${place[0]}::date, ${place[1]})`}
    order by m.post_date desc, m.id desc limit ${take}`
}

export interface Link {
  readonly movement_id: string
  readonly target_id: string
  readonly amount: number
}

/** What movements pay. */
export function linksOf(sql: Sql, scope: EmpresaScope, movement_ids: readonly string[]): Promise<Link[]> {
  return sql<Link>`
    select movement_id, target_id, amount from movement_match x
    where ${of(scope, 'x')} and movement_id = any(${movement_ids}::text[]) order by movement_id, target_id`
}

/** What pays a document. */
export function linksTo(sql: Sql, scope: EmpresaScope, target_id: string): Promise<Link[]> {
  return sql<Link>`
    select movement_id, target_id, amount from movement_match x where ${of(scope, 'x')} and target_id = ${target_id}`
}

/** A match to be written: a movement, what it pays, and why. */
export interface NewMatch {
  readonly movement_id: string
  readonly targets: readonly { readonly id: string; readonly amount: number }[]
  readonly facts: MatchFacts
}

const only = (targets: NewMatch['targets'], prefix: string) =>
  targets.find(({ id }) => id.startsWith(prefix))?.id ?? null

export async function writeMatches(sql: Sql, scope: EmpresaScope, matches: readonly NewMatch[]): Promise<void> {
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
    where ${of(scope, 'm')} and m.id = r.movement_id`
}

/** A purchase that only the register told of, and whose document arrived since, is that document from then on. */
export async function followArrivals(sql: Sql, scope: EmpresaScope): Promise<void> {
  await sql`
    with arrived as (
      update movement_match x set target_id = e.received_document_id from rcv_entry e
      where ${of(scope, 'x')} and x.target_id >= 'rcv_' and x.target_id < 'rcv_~' and e.id = x.target_id
        and e.received_document_id is not null
      returning x.movement_id, x.target_id
    )
    update movement m set matched_received_document_id = a.target_id from arrived a
    where ${of(scope, 'm')} and m.id = a.movement_id`
}

/** Takes movements and what they pay apart. */
export async function deleteMatches(sql: Sql, scope: EmpresaScope, movement_ids: readonly string[]): Promise<Link[]> {
  if (movement_ids.length === 0) return []
  await sql`
    update movement m set match = null, matched_document_id = null, matched_received_document_id = null
    where ${of(scope, 'm')} and m.id = any(${movement_ids}::text[]) and m.match is not null`
  return sql<Link>`
    delete from movement_match x where ${of(scope, 'x')} and movement_id = any(${movement_ids}::text[])
    returning movement_id, target_id, amount`
}

/** Remembers pairs that somebody took apart. */
export async function rememberApart(sql: Sql, scope: EmpresaScope, links: readonly Link[], at: Date): Promise<void> {
  await sql`
    insert into movement_kept_apart (account_id, empresa_id, mode, movement_id, target_id, at)
    select ${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, l.movement_id, l.target_id, ${at}::timestamptz
    from json_to_recordset(${JSON.stringify(links)}::json) as l (movement_id text, target_id text)
    on conflict (movement_id, target_id) do nothing`
}

export async function forgetApart(
  sql: Sql,
  scope: EmpresaScope,
  movement_id: string,
  target_id: string,
): Promise<void> {
  await sql`
    delete from movement_kept_apart u
    where ${of(scope, 'u')} and movement_id = ${movement_id} and target_id = ${target_id}`
}

/** Pairs that were taken apart, of some movements, as `movement target`. */
export async function keptApart(sql: Sql, scope: EmpresaScope, movement_ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ pair: string }>`
    select movement_id || ' ' || target_id as pair from movement_kept_apart u
    where ${of(scope, 'u')} and movement_id = any(${movement_ids}::text[])`
  return new Set(rows.map(({ pair }) => pair))
}
