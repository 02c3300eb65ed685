import { MODES, type Mode } from '../../../catalog/modes.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { Indicators } from './indicators.ts'
import { inventMissing } from './invent.ts'
import { keyOf, knownIndicators } from './shipped.ts'
import { listMonthly } from './store.ts'

/** The monthly figures in force in a mode: what was loaded, what the program carries, what the sandbox makes up. */
export async function readIndicators(sql: Sql, mode: Mode): Promise<Indicators> {
  const rows = await listMonthly(sql)
  const known = knownIndicators(new Map(rows.map(({ indicator, period, units }) => [keyOf(indicator, period), units])))
  return MODES[mode].invents_indicators ? inventMissing(known) : known
}
