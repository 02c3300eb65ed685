import { FOLIOS } from '../../../catalog/limits.ts'
import { MODES } from '../../../catalog/modes.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { getsFolioFromSii } from '../../platform/empresa/channels.ts'
import type { FolioAvailability } from './schema.ts'
import { isExpired, remainingOf, sizeOf } from './show.ts'
import { type RangeRow, readStocks, type StockRow } from './stock-store.ts'

/** Fewer than this is few: a tenth of what was granted last, and never less than a handful. */
export function lowBelow(last_range_size: number): number {
  return Math.max(FOLIOS.low_at_least, Math.ceil((last_range_size * FOLIOS.low_percent_of_last_range) / 100))
}

const sum = (ranges: readonly RangeRow[]) => ranges.reduce((total, range) => total + remainingOf(range), 0)

/**
 * A tipo of which nothing was ever granted is not exhausted where folios come by themselves: nobody used anything up.
 * Once something was, the sandbox says the same as the SII would, so that running out can be rehearsed.
 */
function statusOf(usable: readonly RangeRow[], { highest }: StockRow, on_demand: boolean): FolioAvailability['status'] {
  const last = usable.at(-1)
  if (!last) return on_demand && highest === 0 ? 'available' : 'exhausted'
  return sum(usable) < lowBelow(sizeOf(last)) ? 'low' : 'available'
}

function showRange(range: RangeRow, on: string): FolioAvailability['ranges'][number] {
  const { caf_id, from_folio, to_folio, next_folio, authorised_on, expires_on, source } = range
  const remaining = remainingOf(range)
  const expired = isExpired(range, on)
  return { caf_id, from: from_folio, to: to_folio, next_folio, remaining, authorised_on, expires_on, expired, source }
}

function shown(tipo_dte: number, more: Partial<FolioAvailability>): FolioAvailability {
  return {
    object: 'folio_availability',
    tipo_dte,
    available: 0,
    next_folio: null,
    status: 'exhausted',
    ranges: [],
    stock: { chain: [], stops_at_expired_range: false },
    ...more,
  }
}

/** What is left of one tipo, as of a day in Santiago. */
function showAvailability(stock: StockRow, scope: EmpresaScope, on: string): FolioAvailability {
  if (getsFolioFromSii(stock.emission_channel, stock.tipo_dte)) return shown(stock.tipo_dte, { status: 'sfg_managed' })
  const on_demand = MODES[scope.mode].folios_on_demand
  const usable = stock.ranges.filter((range) => !isExpired(range, on))
  const ranges = stock.ranges.map((range) => showRange(range, on))
  return shown(stock.tipo_dte, {
    available: sum(usable),
    next_folio: usable[0]?.next_folio ?? (on_demand ? stock.highest + 1 : null),
    status: statusOf(usable, stock, on_demand),
    ranges,
    stock: {
      chain: ranges.map(({ from, to, remaining, expired }) => ({ from, to, remaining, expired })),
      // Expired folios can never be used; the allocator passes over them. It stops only where nothing else is left.
      stops_at_expired_range: usable.length === 0 && ranges.length > 0,
    },
  })
}

export async function readAvailabilities(
  sql: Sql,
  scope: EmpresaScope,
  on: string,
  tipo_dte: number | null = null,
): Promise<FolioAvailability[]> {
  return (await readStocks(sql, scope, tipo_dte)).map((stock) => showAvailability(stock, scope, on))
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
