import type { Ambiente } from '../../../ports/sii.ts'
import {
  type ServiceWeather,
  SII_SERVICES,
  type SiiState,
  type VerdictPace,
  type Weather,
  type WeatherPoint,
} from '../../../ports/sii-weather.ts'
import { quantile, sumDurations } from './histogram.ts'
import { type Step, verdictsOf } from './store.ts'

type LongStep = Omit<Step, 'durations'>

const total = (steps: readonly LongStep[], of: 'calls' | 'failures') => steps.reduce((sum, step) => sum + step[of], 0)

/** Of the last hour: half of the questions unanswered is down, one in twenty is trouble. Nobody asked: nobody knows. */
function stateOf(calls: number, failures: number): SiiState {
  if (calls === 0) return 'unknown'
  if (failures / calls >= 0.5) return 'down'
  return failures / calls >= 0.05 ? 'degraded' : 'up'
}

const pointOf = ({ step_at, calls, failures, ms_total }: LongStep): WeatherPoint => ({
  at: step_at,
  calls,
  failures,
  mean_ms: calls === 0 ? 0 : Math.round(ms_total / calls),
})

const inSeconds = (ms: number | null) => (ms === null ? null : ms / 1000)

function paceOf(steps: readonly Step[]): VerdictPace {
  const durations = sumDurations(steps.map((step) => step.durations))
  return {
    documents: total(steps, 'calls'),
    p50_seconds: inSeconds(quantile(durations, 0.5)),
    p95_seconds: inSeconds(quantile(durations, 0.95)),
  }
}

/** What we measured of one environment: the last hour for its state, a day and a month to look back on. */
export function summarize(
  ambiente: Ambiente,
  { day, month, hour_ago }: { day: readonly Step[]; month: readonly LongStep[]; hour_ago: Date },
): Weather {
  const of = <S extends LongStep>(steps: readonly S[], name: string) =>
    steps.filter((step) => step.ambiente === ambiente && step.service === name)
  const services = SII_SERVICES.map((service): ServiceWeather => {
    const steps = of(day, service)
    const recent = steps.filter(({ step_at }) => step_at >= hour_ago)
    const [calls, failures] = [total(recent, 'calls'), total(recent, 'failures')]
    const durations = sumDurations(recent.map((step) => step.durations))
    return {
      service,
      state: stateOf(calls, failures),
      calls,
      failures,
      p50_ms: quantile(durations, 0.5),
      p95_ms: quantile(durations, 0.95),
      day: steps.map(pointOf),
      month: of(month, service).map(pointOf),
    }
  })
  const verdicts = { dte: paceOf(of(day, verdictsOf('dte'))), boleta: paceOf(of(day, verdictsOf('boleta'))) }
  return { ambiente, services, verdicts }
}
