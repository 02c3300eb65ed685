import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { hastenWaiting } from '../../../kernel/queue.ts'
import { answeredBy, type SiiCall, type SiiRoad, type SiiWeather } from '../../../ports/sii-weather.ts'
import { countDuration, NO_DURATIONS, quantile, sumDurations } from './histogram.ts'
import { openWeatherReport } from './read.ts'
import { addSteps, insertCalls, readSteps, type Step, verdictsOf } from './store.ts'

export const STEP_MS = 300_000
/** How many traces of failures wait for the next sweep at most: an outage fills no memory. */
const MOST_TRACES = 200

/** How often the pace of all processes is read. */
const PACE_MS = 60_000

const stepOf = (at: Date) => new Date(Math.floor(at.getTime() / STEP_MS) * STEP_MS)

/**
 * Collects how the SII answers in this process, writes it down at each sweep, and knows the pace of all processes. What
 * answers has the jobs run that wait for it, whichever process put them off.
 */
export function openWeatherStation(sql: Sql): SiiWeather {
  let pace_read_at = Number.NEGATIVE_INFINITY
  let steps = new Map<string, Step & { durations: number[] }>()
  let traces: SiiCall[] = []
  let traced = new Set<string>()
  /** Since the last sweep: what was asked, and whether every time something came back. */
  let answered = new Map<string, boolean>()
  let paces: Readonly<Partial<Record<SiiRoad, number>>> = {}

  const count = (service: string, ambiente: Step['ambiente'], at: Date, ms: number, failed: boolean) => {
    const step_at = stepOf(at)
    const name = `${service} ${ambiente} ${step_at.getTime()}`
    const step = steps.get(name) ?? {
      service,
      ambiente,
      step_at,
      calls: 0,
      failures: 0,
      ms_total: 0,
      durations: [...NO_DURATIONS],
    }
    countDuration(step.durations, ms)
    const added = { calls: step.calls + 1, failures: step.failures + (failed ? 1 : 0), ms_total: step.ms_total + ms }
    steps.set(name, { ...step, ...added })
  }

  /** Of what goes well, one of each kind in a step is enough to see how it looks. */
  const isWorthATrace = ({ service, operation, outcome, at }: SiiCall) => {
    if (traces.length >= MOST_TRACES) return false
    if (outcome !== 'ok') return true
    const name = `${service} ${operation} ${stepOf(at).getTime()}`
    if (traced.has(name)) return false
    traced.add(name)
    return true
  }

  const readPace = async () => {
    const since = new Date(systemNow() - 3_600_000)
    const read = await readSteps(sql, since)
    const found: Partial<Record<SiiRoad, number>> = {}
    for (const road of ['dte', 'boleta'] as const) {
      const of_road = read.filter(({ service }) => service === verdictsOf(road))
      const ms = quantile(sumDurations(of_road.map(({ durations }) => durations)), 0.5)
      if (ms !== null) found[road] = ms / 1000
    }
    paces = found
  }

  return {
    called(call) {
      const failed = call.outcome === 'unreachable' || call.outcome === 'not_understood'
      count(call.service, call.ambiente, call.at, call.ms, failed)
      for (const thing of answeredBy(call)) answered.set(thing, (answered.get(thing) ?? true) && !failed)
      // A copy: its trace is read now, and what it was made of is let go.
      if (isWorthATrace(call)) traces.push({ ...call })
    },
    settled(road, ambiente, seconds) {
      const at = new Date(systemNow())
      for (const each of seconds) count(verdictsOf(road), ambiente, at, Math.max(0, each) * 1000, false)
    },
    pace: (road) => paces[road] ?? null,
    report: openWeatherReport(sql),
    async sweep() {
      const [counted, calls] = [[...steps.values()], traces]
      steps = new Map()
      traces = []
      if (traced.size > 1_000) traced = new Set()
      if (counted.length > 0) await addSteps(sql, counted)
      if (calls.length > 0) await insertCalls(sql, calls)
      const back = [...answered].filter(([, always]) => always).map(([thing]) => thing)
      answered = new Map()
      if (back.length > 0) await hastenWaiting(sql, back)
      if (Math.abs(systemNow() - pace_read_at) < PACE_MS) return
      pace_read_at = systemNow()
      await readPace()
    },
  }
}
