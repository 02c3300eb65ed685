import { systemNow } from '../../../kernel/clock.ts'
import type { Database } from '../../../kernel/db.ts'
import { invalidField, mapOrRefuse } from '../../../kernel/problem.ts'
import type { InstallationContext } from '../../context.ts'
import { type LoadedIndicator, parseIndicator, parseIndicatorsFile } from './parse.ts'
import type { IndicatorLoad, LoadIndicators } from './schema.ts'
import { saveIndicators, summarize } from './store.ts'

/** The operator's door. One that is wrong refuses them all. */
export async function loadIndicators(ctx: InstallationContext, input: LoadIndicators): Promise<IndicatorLoad> {
  const seen = new Set<string>()
  const rows = mapOrRefuse(input.indicators, (written, i): LoadedIndicator => {
    const parsed = parseIndicator(written)
    if ('why' in parsed) throw invalidField(`indicators[${i}].${parsed.column}`, parsed.why)
    const key = `${parsed.indicator} ${parsed.period}`
    if (seen.has(key)) throw invalidField(`indicators[${i}].period`, `${key} is there twice.`)
    seen.add(key)
    return parsed
  })
  await saveIndicators(ctx.sql, rows, new Date(systemNow()))
  return { object: 'indicator_load', loaded: rows.length, indicators: await summarize(ctx.sql) }
}

/** The same from a file, for the program that an operator runs. Gives how many there were. */
export async function loadIndicatorsFile(db: Database, text: string): Promise<number> {
  const rows = parseIndicatorsFile(text)
  await saveIndicators(db.sql, rows, new Date(systemNow()))
  return rows.length
}
