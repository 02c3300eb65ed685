// Live mode from outside: the service over the simulator, another process, on a clock that the test moves.

import { randomUUID } from 'node:crypto'
import { bundleOf, NO_AUTHORITIES, readCaBundle } from '@timbre/dte/emission'
import { addMonths, santiagoDate } from '@timbre/dte/values'
import { type CallLimits, simulatedHosts } from '@timbre/sii'
import { expect, inject, vi } from 'vitest'
import { liveSii } from '../../src/adapters/sii/live.ts'
import { SCOPE_NAMES } from '../../src/catalog/scopes.ts'
import { custodyIdentities } from '../../src/connect-sii.ts'
import { JOBS } from '../../src/jobs.ts'
import { claimJobs, lookAtQueue } from '../../src/kernel/claim.ts'
import { systemNow } from '../../src/kernel/clock.ts'
import { type ClaimedJob, requeueExpiredLeases, unparkJobs } from '../../src/kernel/queue.ts'
import type { Sii } from '../../src/ports/sii.ts'
import { openSimulatorProcess, type SimulatorProcess } from './simulator-process.ts'
import { OPERATOR_SECRET, openWorld, randomRut, type Sent, type World, type WorldOptions } from './world.ts'

const CERTIFICATE_PASSWORD = 'clave del certificado'
const POOLS = ['work', 'delivery', 'reading', 'heavy'] as const
const CAPACITIES = new Map(JOBS.map((job) => [job.name, job.batch > 1 ? job.batch : job.lane_concurrency]))

/** The tenth of the month to come, at noon in Santiago: no test depends on the hour at which it runs. */
function firstInstant(): Date {
  const month = addMonths(`${santiagoDate(new Date()).slice(0, 7)}-01`, 1).slice(0, 7)
  return new Date(`${month}-10T15:00:00Z`)
}

/** A live empresa that may emit, with the key of its account. */
export interface LiveEmpresa {
  readonly id: string
  readonly rut: string
  readonly key: string
  readonly account_id: string
  get(path: string): Promise<Sent>
  post(path: string, body?: object): Promise<Sent>
  /** Issues a document; its id. */
  issue(body: object): Promise<string>
  /** The document as it is now. */
  document(id: string): Promise<Sent['body']>
  /** The job as it is now. */
  job(id: string): Promise<Sent['body']>
  /** Another person signs and sends from now on. */
  changeCertificate(): Promise<void>
}

export interface LiveWorld {
  readonly world: World
  readonly simulator: SimulatorProcess
  /** Over those of the client, read at every call: a test that has the SII answer too late shortens them meanwhile. */
  readonly limits: { -readonly [Limit in keyof CallLimits]?: CallLimits[Limit] }
  now(): Date
  /** Both clocks go there. Nothing is run. */
  setTime(at: Date): Promise<void>
  /** Runs what is due now, and what falls due by it, as a worker would. */
  run(): Promise<void>
  /** Moves time on; everything due on the way is run at its hour. */
  advance(seconds: number): Promise<void>
  /** Another process over the same database, with connections of its own. It runs what `run` of it is told. */
  beside(options?: LiveOptions): Promise<Pick<LiveWorld, 'world' | 'run' | 'limits'> & { close(): Promise<void> }>
  /** With a certificate in custody and folios of these tipos. */
  empresa(options?: EmpresaOptions): Promise<LiveEmpresa>
  requestFolios(empresa: LiveEmpresa, tipo_dte: number, quantity: number): Promise<Sent['body']>
  close(): Promise<void>
}

export interface LiveOptions extends Omit<WorldOptions, 'live_sii' | 'runs_jobs' | 'beside'> {
  /** The live SII as this process sees it. */
  readonly sii?: (sii: Sii) => Sii
}

export interface EmpresaOptions {
  readonly account_id?: string
  /** Folios that it begins with, by tipo. */
  readonly folios?: Readonly<Record<number, number>>
  readonly body?: object
}

async function runDue(world: World): Promise<void> {
  const { worker } = world.app
  const { sql } = world.db
  for (;;) {
    await requeueExpiredLeases(sql)
    await unparkJobs(sql)
    const claimed: ClaimedJob[] = []
    for (const pool of (await lookAtQueue(sql, POOLS)).pools) {
      const many = { accounts: 1_000, places: 1_000, room: 1_000, turns: [], busy: [] }
      const claim = { worker: worker.id, pool, after: '', ...many, capacities: CAPACITIES, batches: new Map() }
      // One lane of each account at a time.
      for (let more = true; more; ) {
        const taken = await claimJobs(sql, claim)
        claimed.push(...taken)
        more = taken.length > 0
      }
    }
    if (claimed.length === 0) return
    await Promise.all(batchesOf(claimed).map((batch) => worker.perform(batch)))
  }
}

function batchesOf(claimed: readonly ClaimedJob[]): ClaimedJob[][] {
  const batches = new Map<string, ClaimedJob[]>()
  for (const job of claimed) {
    const together = (JOBS.find(({ name }) => name === job.name)?.batch ?? 1) > 1
    const name = together ? job.lane : job.id
    batches.set(name, [...(batches.get(name) ?? []), job])
  }
  return [...batches.values()]
}

async function openProcess(
  simulator: SimulatorProcess,
  { sii, ...options }: LiveOptions & Pick<WorldOptions, 'beside'>,
): Promise<Pick<LiveWorld, 'world' | 'run' | 'limits'> & { close(): Promise<void> }> {
  const limits: LiveWorld['limits'] = {}
  const own = readCaBundle(simulator.ca)
  if (!own.ok) throw new Error(own.refusal.message)
  let live: ReturnType<typeof liveSii> | undefined
  const world = await openWorld({
    ...options,
    runs_jobs: false,
    live_sii: ({ sql, steady, vault }) => {
      live = liveSii({
        tax_effect: false,
        sql,
        steady,
        vault,
        ...custodyIdentities(steady, vault),
        hosts: simulatedHosts(simulator.url),
        ca: simulator.ca,
        caf_keys: simulator.caf_keys,
        authorities: bundleOf([...own.value.certificates, ...NO_AUTHORITIES.certificates]),
        limits,
        now: () => new Date(systemNow()),
        sleep: async () => undefined,
        onCall: () => undefined,
      })
      return sii?.(live) ?? live
    },
  })
  const close = async () => {
    await world.close()
    await live?.close()
  }
  return { world, limits, run: () => runDue(world), close }
}

/** One for a whole file. The clock of this process stands still at an hour of its own until `close`. */
export async function openLiveWorld(
  options: LiveOptions & { readonly simulator_folder?: string; readonly starts_at?: Date } = {},
): Promise<LiveWorld> {
  const { simulator_folder = null, starts_at = firstInstant(), ...own } = options
  const simulator = await openSimulatorProcess(simulator_folder)
  vi.useFakeTimers({ toFake: ['Date'], now: starts_at })
  const { world, limits, run, close } = await openProcess(simulator, own)
  const { sql } = world.db
  const now = () => new Date(systemNow())

  async function setTime(at: Date): Promise<void> {
    vi.setSystemTime(at)
    await simulator.control('POST', '/control/clock', { now: at.toISOString(), frozen: true })
  }
  await setTime(now())

  async function advance(seconds: number): Promise<void> {
    const until = new Date(systemNow() + seconds * 1000)
    await run()
    for (;;) {
      const [next] = await sql<{ at: Date | null }>`
        select min(case status when 'queued' then run_at else lease_until + interval '1 second' end) as at from job
        where status in ('queued', 'running')`
      if (!next?.at || next.at > until) break
      if (next.at > now()) await setTime(next.at)
      await run()
    }
    await setTime(until)
  }

  async function certificateOf(): Promise<string> {
    const rut = randomRut()
    const { pfx } = await simulator.control('POST', '/control/certificates', {
      rut,
      name: 'Rosa Pérez Soto',
      password: CERTIFICATE_PASSWORD,
      private_key: inject('personKey'),
    })
    return pfx
  }

  async function empresa({ account_id: given, folios = {}, body = {} }: EmpresaOptions = {}): Promise<LiveEmpresa> {
    const account_id = given ?? (await world.account({ plan: 'house' }))
    const key = await world.key(account_id, { mode: 'live', scopes: SCOPE_NAMES })
    const rut = randomRut()
    const headers = { 'svc-operator-secret': OPERATOR_SECRET }
    const done = async (sent: Promise<Sent>, status = 200) => {
      const { status: answered, text, body: said } = await sent
      expect([answered, text]).toEqual([status, expect.any(String)])
      return said
    }
    const made = await done(
      world.post('/v1/empresas', {
        key,
        body: {
          rut,
          legal_name: 'Comercial Quillay SpA',
          giro: 'Comercio al por menor',
          acteco: [471_100],
          address: { street: 'Av. Los Boldos 1200', comuna: 'Talca', city: 'Talca' },
          doc_types: [33, 34, 39, 52, 56, 61],
          origen: 'mercado',
          contact_email: 'contacto@quillay.cl',
          resolucion: { numero: 80, fecha: '2014-08-22' },
          ...body,
        },
      }),
      201,
    )
    const at = `/v1/empresas/${made.id}`
    const settings = { request_folios_when_low: false, sync_rcv_daily: false }
    await done(world.patch(`${at}/automation_settings`, { key, body: settings }))
    const upload = { file: await certificateOf(), password: CERTIFICATE_PASSWORD }
    await done(world.post(`${at}/certificate`, { key, body: upload }), 201)
    const verified = await done(world.post(`${at}/resolucion/verify`, { headers, body: { confirm: true } }))
    expect(verified.resolucion).toMatchObject({ verified: true })
    // Its onboarding, which has tests of its own, is over: what it walks through would ask for folios unbidden.
    await world.db.sql`
      update empresa set emitting_since = now(), certified_tipos = doc_types, boleta_emission_enabled_at = now()
      where id = ${made.id}`
    const who = { key, empresa: rut }
    const opened: LiveEmpresa = {
      id: made.id,
      rut,
      key,
      account_id,
      get: (path) => world.get(`/v1${path}`, who),
      post: (path, sent = {}) =>
        world.post(`/v1${path}`, { ...who, body: sent, headers: { 'idempotency-key': randomUUID() } }),
      issue: async (document) => (await done(opened.post('/documents', document), 201)).id,
      document: async (id) => (await opened.get(`/documents/${id}`)).body,
      job: async (id) => (await world.get(`/v1/jobs/${id}`, { key })).body,
      async changeCertificate() {
        const other = { file: await certificateOf(), password: CERTIFICATE_PASSWORD }
        await done(world.post(`${at}/certificate`, { key, body: other }), 201)
      },
    }
    for (const [tipo_dte, quantity] of Object.entries(folios)) await requestFolios(opened, Number(tipo_dte), quantity)
    return opened
  }

  async function requestFolios(who: LiveEmpresa, tipo_dte: number, quantity: number): Promise<Sent['body']> {
    const asked = await who.post('/folios/requests', { tipo_dte, quantity })
    expect([asked.status, asked.text]).toEqual([202, expect.any(String)])
    await run()
    const job = await who.job(asked.body.id)
    expect(job).toMatchObject({ status: 'succeeded' })
    return job.result
  }

  return {
    world,
    simulator,
    limits,
    now,
    setTime,
    run,
    advance,
    beside: (more = {}) => openProcess(simulator, { ...more, beside: world }),
    empresa,
    requestFolios,
    async close() {
      vi.useRealTimers()
      await close()
      await simulator.close()
    },
  }
}
