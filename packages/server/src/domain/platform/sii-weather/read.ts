import { HOUR_SECONDS } from '../../../catalog/time.ts'
import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { Ambiente } from '../../../ports/sii.ts'
import type { Weather, WeatherReport } from '../../../ports/sii-weather.ts'
import { readLongSteps, readSteps } from './store.ts'
import { summarize } from './summary.ts'

const HOUR_MS = HOUR_SECONDS * 1000
const MONTH_HOURS = 30 * 24
/** Of a month, four points a day. */
const LONG_STEP_SECONDS = 6 * HOUR_SECONDS
/** Anybody may ask, as often as they like: what is told is up to a minute old. */
const CACHE_MS = 60_000

async function read(sql: Sql, now: number): Promise<Weather[]> {
  const since = (hours: number) => new Date(now - hours * HOUR_MS)
  const [day, month] = await Promise.all([
    readSteps(sql, since(24)),
    readLongSteps(sql, { since: since(MONTH_HOURS), seconds: LONG_STEP_SECONDS }),
  ])
  const ambientes: readonly Ambiente[] = ['produccion', 'certificacion']
  return ambientes.map((ambiente) => summarize(ambiente, { day, month, hour_ago: since(1) }))
}

/** The weather of both environments, read from the database once a minute however many ask. */
export function openWeatherReport(sql: Sql): () => Promise<WeatherReport> {
  let last: { readonly at: number; readonly report: Promise<WeatherReport> } | null = null
  return () => {
    const now = systemNow()
    if (last && now - last.at < CACHE_MS && now >= last.at) return last.report
    const report = read(sql, now).then((weather) => ({ measured_at: new Date(now), weather }))
    last = { at: now, report }
    // A reading that failed is not told for a minute.
    report.catch(() => {
      last = null
    })
    return report
  }
}
