import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineJob } from '../../test/support/define-job.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { openWeatherStation } from '../domain/platform/sii-weather/station.ts'
import { REAL_TIME, secondsFrom, systemNow } from '../kernel/clock.ts'
import { openDatabase } from '../kernel/db.ts'
import { GiveUp } from '../kernel/job.ts'
import { UnitOfWork } from '../kernel/unit-of-work.ts'
import { type Metrics, openMetrics, servesMetricsOnMainPort } from './metrics.ts'

const fails = defineJob<{ how: string }>({
  name: 'metrics.probe',
  max_attempts: 1,
  async run(_ctx, { how }) {
    if (how === 'fails') throw new GiveUp('worker_lost', 'on purpose')
    return 'done'
  },
})

let metrics: Metrics
let world: World
beforeAll(async () => {
  world = await openWorld({
    jobs: [fails],
    plain: (db) => {
      metrics = openMetrics(db, openWeatherStation(db.sql), { on_main_port: true })
      return [metrics.route]
    },
    onAnswer: (fact) => metrics.observe(fact),
    onRun: (fact) => metrics.observeRun(fact),
  })
})
afterAll(() => world.close())

async function enqueue(at: World, how: string, due_at?: Date): Promise<void> {
  const unit = new UnitOfWork({ account_id: null, mode: null, empresa_id: null, clock: REAL_TIME })
  await at.db.transact(async (sql) => {
    await unit.enqueue(sql, fails, { payload: { how }, ...(due_at && { due_at }) })
    await unit.flush(sql)
  })
  at.app.worker.wake()
}

const scrape = async () => (await world.get('/metrics')).text

async function until(matches: RegExp): Promise<string> {
  for (let tries = 0; tries < 2_000; tries++) {
    const text = await scrape()
    if (matches.test(text)) return text
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  throw new Error(`no line of the metrics matches ${matches}:\n${await scrape()}`)
}

describe('/metrics', () => {
  it('200 counts answers by operation, status and code, and times them by operation', async () => {
    const key = await world.key(await world.account())
    await world.get('/v1/account', { key })
    await world.get('/v1/account', { key })
    await world.get('/v1/account')
    const text = await scrape()
    expect(text).toContain('timbre_requests_total{operation="account.get",status="200",code=""} 2')
    expect(text).toContain('timbre_requests_total{operation="account.get",status="401",code="invalid_api_key"} 1')
    expect(text).toContain('timbre_request_seconds_count{operation="account.get"} 3')
    expect(text).toContain('process_resident_memory_bytes')
    expect(text).toContain('timbre_pool_connections{state="open"}')
    expect(text).toContain('timbre_database_up 1')
  })

  it('200 counts runs of jobs by how they ended', async () => {
    await enqueue(world, 'fine')
    await enqueue(world, 'fails')
    // They run side by side, so either may be counted first.
    const text = await until(/^timbre_job_seconds_count\{job="metrics.probe"\} 2$/m)
    expect(text).toMatch(/^timbre_jobs_total\{job="metrics.probe",outcome="failed"\} 1$/m)
    expect(text).toMatch(/^timbre_jobs_total\{job="metrics.probe",outcome="succeeded"\} 1$/m)
  })

  it('200 tells how many jobs are due and for how long the first has been', async () => {
    const idle = await openWorld({
      jobs: [fails],
      runs_jobs: false,
      plain: (db) => [openMetrics(db, openWeatherStation(db.sql), { on_main_port: true }).route],
    })
    await enqueue(idle, 'fine', secondsFrom(new Date(systemNow()), -90))
    await enqueue(idle, 'fine', secondsFrom(new Date(systemNow()), 3600))
    const { text } = await idle.get('/metrics')
    expect(text).toMatch(/^timbre_queue_depth 1$/m)
    const [, age] = /^timbre_queue_oldest_seconds (\S+)$/m.exec(text) ?? []
    expect(Number(age)).toBeGreaterThanOrEqual(90)
    expect(Number(age)).toBeLessThan(3600)
    await idle.close()
  })

  it('200 without the numbers of a database that is away, and says that it is', async () => {
    const db = openDatabase('postgres://127.0.0.1:1/none', { pool_size: 1, onError: () => undefined })
    const own = await openMetrics(db, openWeatherStation(db.sql), { on_main_port: false }).listen(0)
    const text = await (await fetch(`http://127.0.0.1:${own.port}/metrics`)).text()
    expect(text).toMatch(/^timbre_database_up 0$/m)
    expect(text).not.toMatch(/^timbre_queue_depth \d/m)
    await own.close()
  })

  it('404 route_not_found on the main port to a peer that is not this machine', async () => {
    const sent = await world.app.http.inject({ url: '/metrics', remoteAddress: '10.0.0.7' })
    expect([sent.statusCode, sent.json().error.code]).toEqual([404, 'route_not_found'])
    const mapped = await world.app.http.inject({ url: '/metrics', remoteAddress: '::ffff:127.0.0.1' })
    expect(mapped.statusCode).toBe(200)
  })

  it('404 route_not_found on the main port when the service is open to a network or behind a proxy', async () => {
    expect(servesMetricsOnMainPort({ host: '127.0.0.1', trust_proxy: false })).toBe(true)
    expect(servesMetricsOnMainPort({ host: '127.0.0.1', trust_proxy: true })).toBe(false)
    expect(servesMetricsOnMainPort({ host: '0.0.0.0', trust_proxy: false })).toBe(false)
    const open = await openWorld({
      plain: (db) => [openMetrics(db, openWeatherStation(db.sql), { on_main_port: false }).route],
    })
    expect((await open.get('/metrics')).status).toBe(404)
    await open.close()
  })

  it('serves them alone on their own port, to this machine only', async () => {
    const own = await metrics.listen(0)
    const sent = await fetch(`http://127.0.0.1:${own.port}/metrics`)
    expect(sent.status).toBe(200)
    expect(sent.headers.get('content-type')).toMatch(/^text\/plain/)
    expect((await fetch(`http://127.0.0.1:${own.port}/v1/account`)).status).toBe(404)
    await own.close()
  })
})
