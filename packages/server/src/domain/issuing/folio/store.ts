import { MODES } from '../../../catalog/modes.ts'
import { type Fragment, listed, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { EACH, ownedBy, type Tenant, tenantsOf } from '../../../kernel/tenant.ts'
import type { Ambiente } from '../../../ports/sii.ts'
import type { EmissionChannel } from '../../platform/empresa/channels.ts'
import { selectTipos } from '../../platform/empresa/sql.ts'
import { type DayUse, rememberedSince } from './forecast.ts'
import type { CafAnnulment, CafRow } from './show.ts'
import { countUse } from './use-store.ts'

export const COLUMNS = part`id, mode, tipo_dte, ambiente, from_folio, to_folio, next_folio, spent, authorised_on, expires_on,
  source, status, created_at, deactivated_at, annulment_status, annulment`

/** The folios documents are emitted with; those of a certification are counted apart. */
export function emittingAmbiente({ mode }: EmpresaScope): Ambiente {
  return MODES[mode].ambiente_when_emitting
}

/** The ranges of a tenant, or of each, that folios can be drawn from. */
export const unspentOf = (whose: Tenant | typeof EACH, ambiente: string | Fragment, tipo_dte: number | Fragment) =>
  part`${ownedBy(whose)} and ambiente = ${ambiente} and tipo_dte = ${tipo_dte} and status = 'active' and not spent`

const unspent = (scope: EmpresaScope, tipo_dte: number) => unspentOf(scope, emittingAmbiente(scope), tipo_dte)

export interface NewCaf {
  readonly id: string
  readonly tipo_dte: number
  readonly ambiente: Ambiente
  readonly from_folio: number
  readonly to_folio: number
  readonly authorised_on: string
  readonly expires_on: string | null
  readonly key_id: number
  readonly source: CafRow['source']
  readonly requested_by: string | null
  readonly sealed: Uint8Array
  readonly created_at: Date
}

export async function findOverlap(sql: Sql, scope: EmpresaScope, caf: NewCaf): Promise<CafRow | null> {
  const [row] = await sql<CafRow>`
    select ${COLUMNS} from caf
    where ${ownedBy(scope)} and ambiente = ${caf.ambiente} and tipo_dte = ${caf.tipo_dte}
      and to_folio >= ${caf.from_folio} and from_folio <= ${caf.to_folio}
    order by from_folio limit 1`
  return row ?? null
}

export async function insertCaf(sql: Sql, scope: EmpresaScope, caf: NewCaf): Promise<CafRow> {
  const [row] = await sql<CafRow>`
    insert into caf (account_id, empresa_id, mode, id, tipo_dte, ambiente, from_folio, to_folio, next_folio,
      authorised_on, expires_on, key_id, source, requested_by, sealed, created_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${caf.id}, ${caf.tipo_dte}, ${caf.ambiente},
      ${caf.from_folio}, ${caf.to_folio}, ${caf.from_folio}, ${caf.authorised_on}, ${caf.expires_on}, ${caf.key_id},
      ${caf.source}, ${caf.requested_by}, ${caf.sealed}, ${caf.created_at})
    returning ${COLUMNS}`
  return row as CafRow
}

/** Of some tipos, those that never had a range that stamps documents of the empresa. */
export async function tiposWithoutFolios(sql: Sql, scope: EmpresaScope, tipos: readonly number[]): Promise<number[]> {
  const rows = await sql<{ tipo_dte: number }>`
    select distinct tipo_dte from caf
    where ${ownedBy(scope)} and ambiente = ${emittingAmbiente(scope)} and tipo_dte = any(${[...tipos]}::integer[])`
  return tipos.filter((tipo) => !rows.some(({ tipo_dte }) => tipo_dte === tipo))
}

export async function findCaf(sql: Sql, scope: EmpresaScope, id: string): Promise<CafRow | null> {
  const [row] = await sql<CafRow>`select ${COLUMNS} from caf where ${ownedBy(scope)} and id = ${id}`
  return row ?? null
}

/** The range that a job brought, if an earlier run of it got that far. */
export async function findRequested(sql: Sql, scope: EmpresaScope, job_id: string): Promise<CafRow | null> {
  const [row] = await sql<CafRow>`select ${COLUMNS} from caf where ${ownedBy(scope)} and requested_by = ${job_id}`
  return row ?? null
}

export async function lockCaf(sql: Sql, scope: EmpresaScope, id: string): Promise<CafRow | null> {
  const [row] = await sql<CafRow>`select ${COLUMNS} from caf where ${ownedBy(scope)} and id = ${id} for no key update`
  return row ?? null
}

export async function findSealed(sql: Sql, scope: EmpresaScope, id: string): Promise<Buffer | null> {
  const [row] = await sql<{ sealed: Buffer }>`select sealed from caf where ${ownedBy(scope)} and id = ${id}`
  return row?.sealed ?? null
}

export async function listCafs(
  sql: Sql,
  scope: EmpresaScope,
  filter: { tipo_dte?: number; status?: string; before: string | null; take: number },
): Promise<CafRow[]> {
  return sql<CafRow>`
    select ${COLUMNS} from caf where ${ownedBy(scope)}
      ${filter.tipo_dte === undefined ? nothing : part`and tipo_dte = ${filter.tipo_dte}`}
      ${filter.status === undefined ? nothing : part`and status = ${filter.status}`}
      ${filter.before === null ? nothing : part`and id < ${filter.before}`}
    order by id desc limit ${filter.take}`
}

export async function recordDeactivation(sql: Sql, scope: EmpresaScope, id: string, at: Date): Promise<void> {
  await sql`update caf set deactivated_at = ${at} where ${ownedBy(scope)} and id = ${id}`
}

export async function recordAnnulment(
  sql: Sql,
  scope: EmpresaScope,
  id: string,
  annulment: CafAnnulment,
): Promise<void> {
  await sql`update caf set annulment = ${JSON.stringify(annulment)}::json where ${ownedBy(scope)} and id = ${id}`
}

/** Records that a day's alert about the end of a range went out; false when it already had. */
export async function recordExpiryAlert(sql: Sql, scope: EmpresaScope, id: string, on: string): Promise<boolean> {
  const recorded = await sql`
    update caf set expiry_told_on = ${on} where ${ownedBy(scope)} and id = ${id} and expiry_told_on is distinct from ${on}::date
    returning id`
  return recorded.length > 0
}

/**
 * Locks the ranges that a draw will use, in their order. A caller that waited for another draw sees them as that one
 * left them.
 */
export async function lockChain(sql: Sql, scope: EmpresaScope, tipo_dte: number, on: string): Promise<CafRow[]> {
  return sql<CafRow>`
    select ${COLUMNS} from caf where ${unspent(scope, tipo_dte)} and (expires_on is null or expires_on >= ${on})
    order by from_folio for no key update`
}

/**
 * Records a draw: where each range goes on, and what went today. Gives the runway line of the day, where it is known. Whose the
 * ranges are stands beside their ids: as a value of its own it had all of the empresa's read, thousands after some years.
 */
export async function recordDraw(
  sql: Sql,
  scope: EmpresaScope,
  moved: readonly { readonly id: string; readonly next_folio: number }[],
  { tipo_dte, on, used }: { readonly tipo_dte: number; readonly on: string; readonly used: number },
): Promise<number | null> {
  const [row] = await sql<{ runway_line: number | null }>`
    with today as (${countUse(scope, tipo_dte, on, used)})
    update caf c set next_folio = w.next_folio
    from (select ${tenantsOf(moved.map(() => scope))}, ${listed.text(moved.map(({ id }) => id))} as id,
      ${listed.bigint(moved.map(({ next_folio }) => next_folio))} as next_folio) w, today
    where ${ownedBy(EACH, 'c')} and c.id = w.id
    returning today.runway_line`
  return row?.runway_line ?? null
}

export interface Stock {
  readonly remaining: number
  /** The highest folio ever granted, whatever became of its range; 0 when there was none. */
  readonly highest: number
}

export async function readStock(sql: Sql, scope: EmpresaScope, tipo_dte: number, on: string): Promise<Stock> {
  const [row] = await sql<Stock>`
    select
      (select coalesce(sum(to_folio - next_folio + 1), 0)::bigint from caf
        where ${unspent(scope, tipo_dte)} and (expires_on is null or expires_on >= ${on})) as remaining,
      (select coalesce(max(to_folio), 0) from caf
        where ${ownedBy(scope)} and ambiente = ${emittingAmbiente(scope)} and tipo_dte = ${tipo_dte}) as highest`
  return row as Stock
}

/** How many folios the range had that was granted last; null when there was none. */
export async function readLastRangeSize(sql: Sql, scope: EmpresaScope, tipo_dte: number): Promise<number | null> {
  const [row] = await sql<{ size: number }>`
    select to_folio - from_folio + 1 as size from caf
    where ${ownedBy(scope)} and ambiente = ${emittingAmbiente(scope)} and tipo_dte = ${tipo_dte}
    order by to_folio desc limit 1`
  return row?.size ?? null
}

/** A range as it stands in an availability. */
export interface RangeRow {
  readonly caf_id: string
  readonly from_folio: number
  readonly to_folio: number
  readonly next_folio: number
  readonly authorised_on: string
  readonly expires_on: string | null
  readonly source: CafRow['source']
}

export interface StockRow {
  readonly tipo_dte: number
  readonly emission_channel: EmissionChannel
  readonly highest: number
  readonly ranges: readonly RangeRow[]
  readonly uses: readonly DayUse[]
}

/** The stock of every tipo the empresa declares, or of one, in a single statement: all of it at one moment. */
export async function readStocks(
  sql: Sql,
  scope: EmpresaScope,
  tipo_dte: number | null,
  on: string,
): Promise<StockRow[]> {
  const { account_id, empresa_id, mode } = scope
  const series = part`c.account_id = ${account_id} and c.empresa_id = ${empresa_id} and c.mode = ${mode}
    and c.ambiente = ${emittingAmbiente(scope)} and c.tipo_dte = t.tipo_dte`
  return sql<StockRow>`
    select t.tipo_dte, t.emission_channel,
      (select coalesce(max(c.to_folio), 0) from caf c where ${series}) as highest,
      (select coalesce(json_agg(json_build_object('caf_id', c.id, 'from_folio', c.from_folio, 'to_folio', c.to_folio,
          'next_folio', c.next_folio, 'authorised_on', c.authorised_on, 'expires_on', c.expires_on, 'source', c.source)
          order by c.from_folio), '[]')
        from caf c where ${series} and c.status = 'active' and not c.spent) as ranges,
      (select coalesce(json_agg(json_build_object('day', u.day, 'used', u.used)), '[]')
        from folio_use u where u.account_id = ${account_id} and u.empresa_id = ${empresa_id} and u.mode = ${mode}
          and u.tipo_dte = t.tipo_dte and u.day >= ${rememberedSince(on)}) as uses
    from (${selectTipos(scope, tipo_dte)}) t
    order by t.tipo_dte`
}
