import { type Fragment, nothing, part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { RcvRow, Side } from './row.ts'
import type { SyncRow } from './sync-block.ts'

export function of({ account_id, empresa_id, mode }: EmpresaScope): Fragment {
  return part`account_id = ${account_id} and empresa_id = ${empresa_id} and mode = ${mode}`
}

export function entriesInPeriod(sql: Sql, scope: EmpresaScope, period: string): Promise<RcvRow[]> {
  return sql<RcvRow>`
    select * from rcv_entry where ${of(scope)} and period = ${period} and withdrawn_at_sii is null order by id`
}

export async function findPurchase(sql: Sql, scope: EmpresaScope, id: string): Promise<RcvRow | null> {
  const [row] = await sql<RcvRow>`
    select * from rcv_entry where ${of(scope)} and side = 'purchase' and id = ${id}`
  return row ?? null
}

/** Purchases held until the transaction ends, always in the order of their ids so that nobody waits in a circle. */
export function lockPurchases(sql: Sql, scope: EmpresaScope, ids: readonly string[]): Promise<RcvRow[]> {
  return sql<RcvRow>`
    select * from rcv_entry where ${of(scope)} and side = 'purchase' and id = any(${ids}::text[])
    order by id for update`
}

export interface EntryFilter {
  readonly period: string
  readonly tipo_doc?: number
  readonly counterparty_rut?: string
  readonly estado_contable?: string
  readonly tipo_compra?: number
  readonly withdrawn?: 'hidden' | 'included' | 'only'
}

const WITHDRAWN = {
  hidden: part`and withdrawn_at_sii is null`,
  included: nothing,
  only: part`and withdrawn_at_sii is not null`,
}

function matching(filter: EntryFilter): Fragment {
  const { tipo_doc, counterparty_rut, estado_contable, tipo_compra, withdrawn = 'hidden' } = filter
  return part`
    ${tipo_doc === undefined ? nothing : part`and tipo_doc = ${tipo_doc}`}
    ${counterparty_rut === undefined ? nothing : part`and counterparty_rut = ${counterparty_rut}`}
    ${estado_contable === undefined ? nothing : part`and estado_contable = ${estado_contable}`}
    ${tipo_compra === undefined ? nothing : part`and tipo_compra = ${tipo_compra}`}
    ${WITHDRAWN[withdrawn]}`
}

// Written out, so that the indexes of purchases alone can serve them.
const SIDES = { purchase: part`side = 'purchase'`, sale: part`side = 'sale'` }

/** Newest in the mirror first, strictly older than a place. */
export function listEntries(
  sql: Sql,
  scope: EmpresaScope,
  side: Side,
  filter: EntryFilter,
  page: { before: string | null; take: number },
): Promise<RcvRow[]> {
  return sql<RcvRow>`
    select * from rcv_entry where ${of(scope)} and ${SIDES[side]} and period = ${filter.period} ${matching(filter)}
      ${page.before === null ? nothing : part`and id < ${page.before}`}
    order by id desc limit ${page.take}`
}

export async function findSync(sql: Sql, scope: EmpresaScope, period: string): Promise<SyncRow | null> {
  const [row] = await sql<SyncRow>`select * from rcv_sync where ${of(scope)} and period = ${period}`
  return row ?? null
}
