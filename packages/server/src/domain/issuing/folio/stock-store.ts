import { part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmissionChannel } from '../../platform/empresa/channels.ts'
import type { CafRow } from './show.ts'
import { COLUMNS, emittingAmbiente, ofEmpresa, owned } from './store.ts'

const unspent = (scope: EmpresaScope, tipo_dte: number) => part`${owned(scope)}
  and ambiente = ${emittingAmbiente(scope)} and tipo_dte = ${tipo_dte} and status = 'active' and not spent`

/**
 * The ranges the allocator will use, in order and held until the transaction ends. Whoever waited for another draw
 * sees them as that one left them.
 */
export async function lockChain(sql: Sql, scope: EmpresaScope, tipo_dte: number, on: string): Promise<CafRow[]> {
  return sql<CafRow>`
    select ${COLUMNS} from caf where ${unspent(scope, tipo_dte)} and (expires_on is null or expires_on >= ${on})
    order by from_folio for no key update`
}

export async function moveNext(
  sql: Sql,
  scope: EmpresaScope,
  moved: readonly { readonly id: string; readonly next_folio: number }[],
): Promise<void> {
  await sql`
    update caf set next_folio = m.next_folio
    from unnest(${moved.map(({ id }) => id)}::text[], ${moved.map(({ next_folio }) => next_folio)}::bigint[])
      as m (id, next_folio)
    where caf.id = m.id and caf.account_id = ${scope.account_id} and caf.empresa_id = ${scope.empresa_id}`
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
        where ${owned(scope)} and ambiente = ${emittingAmbiente(scope)} and tipo_dte = ${tipo_dte}) as highest`
  return row as Stock
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
}

/** What is left of every tipo the empresa declares, or of one, in a single statement: one look, one moment. */
export async function readStocks(sql: Sql, scope: EmpresaScope, tipo_dte: number | null): Promise<StockRow[]> {
  const series = part`c.account_id = e.account_id and c.empresa_id = e.id and c.mode = e.mode
    and c.ambiente = ${emittingAmbiente(scope)} and c.tipo_dte = t.tipo_dte`
  return sql<StockRow>`
    select t.tipo_dte, e.emission_channel,
      (select coalesce(max(c.to_folio), 0) from caf c where ${series}) as highest,
      (select coalesce(json_agg(json_build_object('caf_id', c.id, 'from_folio', c.from_folio, 'to_folio', c.to_folio,
          'next_folio', c.next_folio, 'authorised_on', c.authorised_on, 'expires_on', c.expires_on, 'source', c.source)
          order by c.from_folio), '[]')
        from caf c where ${series} and c.status = 'active' and not c.spent) as ranges
    from empresa e
    cross join unnest(${tipo_dte === null ? part`e.doc_types` : part`array[${tipo_dte}::integer]`}) as t (tipo_dte)
    where ${ofEmpresa(scope)}
    order by t.tipo_dte`
}
