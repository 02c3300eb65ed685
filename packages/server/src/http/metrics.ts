import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { countLost } from '../domain/issuing/document/lost.ts'
import { readKeyProgress } from '../domain/platform/custody/remaining.ts'
import { systemNow } from '../kernel/clock.ts'
import type { Database } from '../kernel/db.ts'
import type { JobFact } from '../kernel/job.ts'
import { isLoopback } from '../kernel/loopback.ts'
import { Problem } from '../kernel/problem.ts'
import { readQueueDepth } from '../kernel/queue.ts'
import type { SiiWeather } from '../ports/sii-weather.ts'
import type { AnswerFact } from './request-handler.ts'
import type { PlainRoute } from './routes.ts'

export interface Metrics {
  observe(fact: AnswerFact): void
  observeRun(fact: JobFact): void
  /** `/metrics` on the main port. */
  readonly route: PlainRoute
  /** `/metrics` alone, on a port of its own that only this machine reaches. */
  listen(port: number): Promise<{ readonly port: number; close(): Promise<void> }>
}

/** Behind a proxy every peer looks local, and on an open address anyone could read: then only METRICS_PORT serves them. */
export function servesMetricsOnMainPort(config: { readonly host: string; readonly trust_proxy: boolean }): boolean {
  return isLoopback(config.host) && !config.trust_proxy
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const DEPTH_CEILING = 10_000

/** Figures of the database, read at each scrape, and absent rather than wrong when it does not answer. Gives their refresh. */
function databaseGauges(register: Registry, db: Database): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [register] })
  const up = gauge('timbre_database_up', 'Whether the database answered this scrape.')
  const depth = gauge('timbre_queue_depth', `Jobs that are due and not taken up, counted to ${DEPTH_CEILING}.`)
  const running = gauge('timbre_queue_running', `Jobs being run by any worker, counted to ${DEPTH_CEILING}.`)
  const oldest = gauge('timbre_queue_oldest_seconds', 'How long the job at the head of the queue has been due.')
  const lost = gauge(
    'timbre_documents_lost_by_sii',
    'Sent documents that the SII lost, or has with other data than it was asked about: somebody has to look.',
  )
  const sealed = new Gauge({
    name: 'timbre_sealed_with_old_keys',
    help: 'What still needs a master key that no longer seals, by its number: at 0 the key may go.',
    labelNames: ['version'],
    registers: [register],
  })
  const pool = new Gauge({
    name: 'timbre_pool_connections',
    help: 'Connections of the pool, and who waits for one.',
    labelNames: ['state'],
    registers: [register],
  })
  return async () => {
    for (const [state, count] of Object.entries(db.usage())) pool.set({ state }, count)
    const queue = await readQueueDepth(db.sql, DEPTH_CEILING).catch(() => null)
    up.set(queue ? 1 : 0)
    if (!queue) {
      for (const stale of [depth, running, oldest, lost]) stale.remove()
      return
    }
    lost.set(await countLost(db.sql).catch(() => 0))
    for (const { version, remaining } of await readKeyProgress(db.sql).catch(() => []))
      sealed.set({ version }, remaining)
    depth.set(queue.due)
    running.set(queue.running)
    oldest.set(queue.oldest ? Math.max(0, (systemNow() - queue.oldest.getTime()) / 1000) : 0)
  }
}

function openRegister(db: Database) {
  const register = new Registry()
  const registers = [register]
  const requests = new Counter({
    name: 'timbre_requests_total',
    help: 'Answers by operation, status and error code.',
    labelNames: ['operation', 'status', 'code'],
    registers,
  })
  const seconds = new Histogram({
    name: 'timbre_request_seconds',
    help: 'Time from the first byte read to the answer.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  })
  const runs = new Counter({
    name: 'timbre_jobs_total',
    help: 'Runs of jobs in this process by how they ended.',
    labelNames: ['job', 'outcome'],
    registers,
  })
  const jobSeconds = new Histogram({
    name: 'timbre_job_seconds',
    help: 'Time one run of a job took.',
    labelNames: ['job'],
    buckets: SECONDS,
    registers,
  })
  return { register, requests, seconds, runs, jobSeconds, refresh: databaseGauges(register, db) }
}

/** How the SII answers, as every process measured it: the last hour. */
function siiGauges(register: Registry, weather: SiiWeather): () => Promise<void> {
  const labelNames = ['service', 'ambiente']
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames, registers: [register] })
  const calls = gauge('timbre_sii_calls', 'Calls to a service of the SII within the last hour.')
  const failures = gauge('timbre_sii_failures', 'How many of them got no answer that could be used.')
  const p95 = gauge('timbre_sii_p95_seconds', 'Within how many seconds 95 % of them were answered.')
  const verdict = gauge('timbre_sii_verdict_p50_seconds', 'From sent to settled, half of the documents of 24 hours.')
  return async () => {
    const report = await weather.report().catch(() => null)
    for (const each of [calls, failures, p95, verdict]) each.reset()
    for (const { ambiente, services, verdicts } of report?.weather ?? []) {
      for (const { service, ...figures } of services.filter((one) => one.calls > 0)) {
        calls.set({ service, ambiente }, figures.calls)
        failures.set({ service, ambiente }, figures.failures)
        p95.set({ service, ambiente }, (figures.p95_ms ?? 0) / 1000)
      }
      for (const [service, { p50_seconds }] of Object.entries(verdicts))
        if (p50_seconds !== null) verdict.set({ service, ambiente }, p50_seconds)
    }
  }
}

export function openMetrics(db: Database, weather: SiiWeather, options: { on_main_port: boolean }): Metrics {
  const { register, requests, seconds, runs, jobSeconds, refresh } = openRegister(db)
  const refreshSii = siiGauges(register, weather)
  let measures_process = false
  // The delays of the event loop are measured by a timer that fires a hundred times a second: not before somebody reads them.
  const measureProcess = () => {
    if (!measures_process) collectDefaultMetrics({ register })
    measures_process = true
  }
  const text = async () => {
    measureProcess()
    await refresh()
    await refreshSii()
    return register.metrics()
  }
  return {
    observe({ operation, status, code, seconds: took }) {
      const id = operation?.id ?? ''
      requests.inc({ operation: id, status, code: code ?? '' })
      seconds.observe({ operation: id }, took)
    },
    observeRun({ job, outcome, seconds: took }) {
      runs.inc({ job, outcome })
      jobSeconds.observe({ job }, took)
    },
    route: {
      path: '/metrics',
      async answer({ ip }) {
        if (!options.on_main_port || !isLoopbackPeer(ip)) throw new Problem('route_not_found')
        return { status: 200, headers: { 'Content-Type': register.contentType }, body: await text() }
      },
    },
    listen: (port) => listenOn(port, text, register.contentType),
  }
}

function isLoopbackPeer(ip: string): boolean {
  return isLoopback(ip.replace(/^::ffff:/, ''))
}

async function listenOn(port: number, text: () => Promise<string>, type: string) {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end()
    text().then(
      (body) => response.writeHead(200, { 'Content-Type': type }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
