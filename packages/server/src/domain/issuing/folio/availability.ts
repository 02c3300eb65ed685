import { santiagoDate } from '@timbre/dte/values'
import { FOLIOS } from '../../../catalog/limits.ts'
import { MODES } from '../../../catalog/modes.ts'
import { type ListPage, paginate } from '../../../kernel/cursor.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaContext } from '../../context.ts'
import { getsFolioFromSii } from '../../platform/empresa/channels.ts'
import { forecastOf, paceOf, runwayLine } from './forecast.ts'
import type { FolioAvailability, FolioQuery } from './schema.ts'
import { isExpired, remainingOf, sizeOf } from './show.ts'
import { type RangeRow, readStocks, type StockRow } from './store.ts'

/** The stock is low below a tenth of the range granted last, and always below a handful. */
export function lowBelow(last_range_size: number): number {
  return Math.max(FOLIOS.low_at_least, Math.ceil((last_range_size * FOLIOS.low_percent_of_last_range) / 100))
}

const sum = (ranges: readonly RangeRow[]) => ranges.reduce((total, range) => total + remainingOf(range), 0)

/**
 * A tipo of which nothing was ever granted is not exhausted where folios are granted on demand: nobody used anything
 * up. Once something was granted, the sandbox answers as the SII would, so that running out can be rehearsed.
 */
function statusOf(
  usable: readonly RangeRow[],
  { highest }: StockRow,
  on_demand: boolean,
  pace: number | null,
): FolioAvailability['status'] {
  const last = usable.at(-1)
  if (!last) return on_demand && highest === 0 ? 'available' : 'exhausted'
  return sum(usable) < Math.max(lowBelow(sizeOf(last)), runwayLine(pace)) ? 'low' : 'available'
}

function showRange(range: RangeRow, on: string): FolioAvailability['ranges'][number] {
  const { caf_id, from_folio, to_folio, next_folio, authorised_on, expires_on, source } = range
  const remaining = remainingOf(range)
  const expired = isExpired(range, on)
  return { caf_id, from: from_folio, to: to_folio, next_folio, remaining, authorised_on, expires_on, expired, source }
}

function withDefaults(tipo_dte: number, more: Partial<FolioAvailability>): FolioAvailability {
  return {
    object: 'folio_availability',
    tipo_dte,
    available: 0,
    next_folio: null,
    status: 'exhausted',
    ranges: [],
    stock: { chain: [], stops_at_expired_range: false },
    forecast: null,
    ...more,
  }
}

function showAvailability(stock: StockRow, scope: EmpresaScope, on: string): FolioAvailability {
  if (getsFolioFromSii(stock.emission_channel, stock.tipo_dte))
    return withDefaults(stock.tipo_dte, { status: 'sfg_managed' })
  const on_demand = MODES[scope.mode].folios_on_demand
  const usable = stock.ranges.filter((range) => !isExpired(range, on))
  const ranges = stock.ranges.map((range) => showRange(range, on))
  const pace = paceOf(stock.uses, on)
  return withDefaults(stock.tipo_dte, {
    available: sum(usable),
    next_folio: usable[0]?.next_folio ?? (on_demand ? stock.highest + 1 : null),
    status: statusOf(usable, stock, on_demand, pace),
    ranges,
    stock: {
      chain: ranges.map(({ from, to, remaining, expired }) => ({ from, to, remaining, expired })),
      // Expired folios can never be used; a draw passes over them. It stops only where nothing else is left.
      stops_at_expired_range: usable.length === 0 && ranges.length > 0,
    },
    forecast: forecastOf(
      ranges.filter(({ expired }) => !expired),
      pace,
      on,
    ),
  })
}

async function readAvailabilities(
  sql: Sql,
  scope: EmpresaScope,
  on: string,
  tipo_dte: number | null = null,
): Promise<FolioAvailability[]> {
  return (await readStocks(sql, scope, tipo_dte, on)).map((stock) => showAvailability(stock, scope, on))
}

/** The same of one tipo, for events: exactly what GET /folios shows at this moment of the transaction. */
export async function readAvailability(
  sql: Sql,
  scope: EmpresaScope,
  tipo_dte: number,
  on: string,
): Promise<FolioAvailability> {
  const [only] = await readAvailabilities(sql, scope, on, tipo_dte)
  if (!only) throw new Error(`the empresa ${scope.empresa_id} is gone`)
  return only
}

/** One row for each declared tipo, by its number. There are eight at most: without a `limit` they are all in one page. */
export function listAvailability(
  ctx: EmpresaContext,
  { tipo_dte, limit, cursor }: FolioQuery,
): Promise<ListPage<FolioAvailability>> {
  return paginate<FolioAvailability, FolioAvailability, readonly [number]>(
    ctx,
    { limit, cursor },
    {
      list: 'folios',
      filters: { tipo_dte: tipo_dte ?? null, empresa: ctx.empresa.empresa_id },
      async fetch({ place }) {
        const all = await readAvailabilities(ctx.sql, ctx.empresa, santiagoDate(ctx.now()))
        const after = place?.[0] ?? 0
        return all.filter((row) => row.tipo_dte > after && (tipo_dte === undefined || row.tipo_dte === tipo_dte))
      },
      placeOf: (row) => [row.tipo_dte],
      show: (rows) => [...rows],
    },
  )
}
