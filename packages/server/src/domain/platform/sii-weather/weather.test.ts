import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR_SECRET, openWorld, type World } from '../../../../test/support/world.ts'
import { siiWeatherRoutes } from '../../../http/page-routes/sii-weather.ts'
import type { SiiCall, SiiWeather } from '../../../ports/sii-weather.ts'
import { pollAfterDocument } from '../../issuing/document/read.ts'
import { quantile, sumDurations } from './histogram.ts'
import { openWeatherStation } from './station.ts'

const call = (more: Partial<SiiCall> = {}): SiiCall => ({
  service: 'dte',
  operation: 'getEstUp',
  ambiente: 'produccion',
  at: new Date(),
  ms: 90,
  outcome: 'ok',
  estado: '00',
  detail: null,
  trace: { request: 'POST /DTEWS/QueryEstUp.jws' },
  ...more,
})

let world: World
let stations: readonly [SiiWeather, SiiWeather]
beforeAll(async () => {
  world = await openWorld({ runs_jobs: false, plain: (_db, { ports }) => siiWeatherRoutes(ports) })
  stations = [openWeatherStation(world.db.sql), openWeatherStation(world.db.sql)]
  const [one, two] = stations
  for (let i = 0; i < 18; i++) one.called(call())
  two.called(call({ ms: 3_000 }))
  two.called(call({ outcome: 'unreachable', estado: 'ETIMEDOUT', detail: 'no answer', ms: 30_000 }))
  two.called(call({ service: 'claims', outcome: 'refused', estado: '8', detail: 'plazo' }))
  one.settled('dte', 'produccion', [40, 50, 50, 100])
  await one.sweep()
  await two.sweep()
})
afterAll(() => world.close())

const produccion = async () => {
  const { status, body, text } = await world.get('/v1/sii/status')
  expect(status, text).toBe(200)
  return body.environments.find(({ ambiente }: { ambiente: string }) => ambiente === 'produccion')
}

describe('the weather of the SII', () => {
  it('adds what every process measured, tells it to anybody, and calls a service degraded when one in twenty goes unanswered', async () => {
    const { services, verdicts } = await produccion()
    const of = (name: string) => services.find(({ service }: { service: string }) => service === name)
    // 18 of one process, 2 of the other; 1 of 20 unanswered is 5 %.
    expect(of('dte')).toMatchObject({ state: 'degraded', calls: 20, failures: 1, p50_ms: 100, p95_ms: 3_200 })
    expect(of('dte').last_24_hours.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0)).toBe(20)
    expect(of('dte').last_30_days).toHaveLength(1)
    // A refusal is an answer.
    expect(of('claims')).toMatchObject({ state: 'up', calls: 1, failures: 0 })
    expect(of('mipyme')).toMatchObject({ state: 'unknown', calls: 0, p50_ms: null })
    expect(verdicts.dte).toEqual({ documents: 4, p50_seconds: 60, p95_seconds: 120 })
  })

  it('reads what went over the wire only of the calls that it keeps', () => {
    const station = openWeatherStation(world.db.sql)
    let read = 0
    const traced = (more: Partial<SiiCall> = {}): SiiCall => {
      const { trace: _, ...rest } = call(more)
      return Object.defineProperty({ ...rest, trace: {} }, 'trace', { enumerable: true, get: () => ++read && {} })
    }
    const at = new Date()
    for (let i = 0; i < 5; i++) station.called(traced({ at }))
    expect(read).toBe(1)
    station.called(traced({ at, outcome: 'unreachable' }))
    expect(read).toBe(2)
  })

  it('is drawn on a page for people', async () => {
    const { status, text } = await world.get('/sii')
    expect(status).toBe(200)
    expect(text).toContain('Con problemas')
    expect(text).toContain('20 consultas, 1 sin respuesta')
    expect(text).not.toContain('style="')
  })

  it('shows the operator, and nobody else, the calls that failed and one in a step that did not', async () => {
    expect((await world.get('/v1/sii/calls')).status).toBe(401)
    const headers = { 'svc-operator-secret': OPERATOR_SECRET }
    const { body } = await world.get('/v1/sii/calls', { headers })
    const outcomes = body.data.map(({ outcome }: { outcome: string }) => outcome)
    // Each process keeps one good call of a kind.
    expect(outcomes.sort()).toEqual(['ok', 'ok', 'refused', 'unreachable'])
    const failed = await world.get('/v1/sii/calls?outcome=unreachable', { headers })
    expect(failed.body.data).toMatchObject([{ service: 'dte', estado: 'ETIMEDOUT', ms: 30_000, detail: 'no answer' }])
    const forged = await world.get('/v1/sii/calls?cursor=cur_x', { headers })
    expect(forged.body.error.code).toBe('invalid_cursor')
    const page = await world.get('/v1/sii/calls?limit=1', { headers })
    const next = await world.get(`/v1/sii/calls?limit=3&cursor=${page.body.next_cursor}`, { headers })
    expect([...page.body.data, ...next.body.data].map(({ id }) => id)).toEqual(
      body.data.map(({ id }: { id: string }) => id),
    )
  })

  it('sets the pace at which a live document is polled: not before half of them have their answer, never past 15 minutes', () => {
    const weather = (pace: number | null) => ({ pace: () => pace })
    const young = { status: 'sent', created_at: new Date().toISOString(), tipo_dte: 33 } as never
    expect(pollAfterDocument(young, 'live', weather(null))).toBe(10)
    expect(pollAfterDocument(young, 'live', weather(3))).toBe(10)
    expect(pollAfterDocument(young, 'live', weather(300))).toBe(300)
    expect(pollAfterDocument(young, 'live', weather(14_400))).toBe(900)
    expect(pollAfterDocument(young, 'test', weather(300))).toBe(1)
    expect(stations.map((station) => station.pace('dte'))).toEqual([60, 60])
  })
})

describe('durations', () => {
  it('are told by the bound below which a share of them lies', () => {
    expect(quantile([0, 0], 0.5)).toBeNull()
    expect(quantile([9, 1], 0.9)).toBe(50)
    expect(quantile([9, 1], 0.95)).toBe(100)
    expect(sumDurations([[1, 2], [3]]).slice(0, 3)).toEqual([4, 2, 0])
  })
})
