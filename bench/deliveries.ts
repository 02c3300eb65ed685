import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Agent, request } from '../packages/server/node_modules/undici/index.js'
import { asked } from './asked.ts'
import { addCpu, type CpuByPart, cpuSince, describeCpu, readCpu, totalCpu } from './cpu-by-part.ts'
import { FACTURA } from './factura.ts'
import type { GateCount, GateOrder } from './receiver.ts'
import { built, openService, type Service } from './service.ts'
import { undisturbed } from './undisturbed.ts'

// Deliveries of our worker against a bare loop of POSTs with the same body to the same receiver. The two take turns of a fraction
// of a second, because a machine may be twice as fast in one second as in the next: the receiver answers deliveries while it is
// their turn, and the worker stands still otherwise. On a machine that others use: BENCH_REALTIME=1.
const TURN_MS = 250
/** A worker that is held ends what it has in hand within this. */
const SETTLE_MS = 100
/** Pairs of turns between which nothing but turns happens, and how many times over. The first of each warms up. */
const PAIRS = 5
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6)
const ENDPOINTS = Number(process.env.BENCH_ENDPOINTS ?? 4)
/** What the worker has under way at one endpoint at most. */
const LANE = 32
/** What is owed before anything is known of how fast it goes. */
const FIRST_OWED = 12_000

const receiver = fork(fileURLToPath(new URL('receiver.ts', import.meta.url)), {
  execArgv: ['--import', 'tsx'],
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
})
const [line] = (await once(receiver.stdout ?? receiver, 'data')) as [Buffer]
const origin = `http://127.0.0.1:${line.toString().trim()}`
const cpuNow = () => readCpu(receiver.pid ?? 0)

interface Turn {
  readonly requests: number
  readonly ms: number
  readonly cpu: CpuByPart
}

/** As many requests at a time as the worker makes, and nothing else. */
async function bareTurn(dispatcher: Agent, body: string, endpoints: number): Promise<Turn> {
  const headers = { 'content-type': 'application/json' }
  const before = cpuNow()
  const started = performance.now()
  let requests = 0
  const loop = async () => {
    while (performance.now() - started < TURN_MS) {
      const answer = await request(`${origin}/bare`, { method: 'POST', body, headers, dispatcher })
      await answer.body.dump()
      requests++
    }
  }
  await Promise.all(Array.from({ length: endpoints * LANE }, loop))
  return { requests, ms: performance.now() - started, cpu: cpuSince(before, cpuNow()) }
}

/**
 * What is left to do once the receiver answers no more, writing what came of the last ones and reading ahead, belongs to the turn:
 * it is lengthened by as much as that costs.
 */
async function deliveriesTurn(): Promise<Turn> {
  const before = cpuNow()
  receiver.send({ open_ms: TURN_MS } satisfies GateOrder)
  const [{ answers, ms }] = (await once(receiver, 'message')) as [GateCount]
  const by_then = cpuSince(before, cpuNow())
  await sleep(SETTLE_MS)
  const cpu = cpuSince(before, cpuNow())
  const longer = totalCpu(by_then) > 0 ? totalCpu(cpu) / totalCpu(by_then) : 1
  return { requests: answers, ms: ms * longer, cpu }
}

async function create({ port, secret }: Service, path: string, body: string, more = {}): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...more }
  const made = await fetch(`http://127.0.0.1:${port}/v1/${path}`, {
    method: 'POST',
    headers,
    body,
  })
  if (made.status !== 201) throw new Error(await made.text())
  return (await made.json()) as { id: string }
}

async function openEndpoints(service: Service, count: number): Promise<void> {
  await service.db.sql`delete from webhook_endpoint`
  for (let i = 0; i < count; i++) await create(service, 'webhook_endpoints', JSON.stringify({ url: `${origin}/gated` }))
}

const fanOut = built.openFanOut()

/** Events with their deliveries, until so many of them are owed. */
async function happen(service: Service, endpoints: number, object: object, owed: number): Promise<void> {
  const owner = { account_id: service.account_id, mode: 'test', empresa_id: null, clock: built.REAL_TIME } as const
  const empresa = { id: service.empresa_id, rut: service.rut }
  const [queued] = await service.db.sql<{ count: number }>`
    select count(*) as count from webhook_delivery where status = 'pending'`
  for (let left = (owed - (queued?.count ?? 0)) / endpoints; left > 0; left -= 100) {
    const unit = new built.UnitOfWork(owner, fanOut)
    for (let i = 0; i < 100; i++) unit.emit({ type: 'document.accepted', object, empresa })
    await service.db.transact((sql) => unit.flush(sql))
  }
}

interface Pair {
  readonly bare: Turn
  readonly ours: Turn
}

const rate = ({ requests, ms }: Turn) => (requests * 1000) / ms
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const sumOf = (turns: readonly Turn[]) => turns.reduce((sum, { requests }) => sum + requests, 0)
const cpuOf = (turns: readonly Turn[]) => turns.map(({ cpu }) => cpu).reduce(addCpu)

async function takeTurns(dispatcher: Agent, body: string, endpoints: number): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    pairs.push({ bare: await bareTurn(dispatcher, body, endpoints), ours: await deliveriesTurn() })
  }
  return pairs
}

/** `document` is one as it is shown, for an event rests as its difference from what such a one looks like. */
async function compare(service: Service, endpoints: number, document: object): Promise<void> {
  const head = { id: built.newId('event'), object: 'event', type: 'document.accepted', api_version: 'v1', mode: 'test' }
  const empresa = { id: service.empresa_id, rut: service.rut }
  const created_at = new Date(built.systemNow())
  const body = JSON.stringify({ ...head, created_at, empresa, data: { object: document } })
  await openEndpoints(service, endpoints)
  await happen(service, endpoints, document, FIRST_OWED)
  await service.db.sql`vacuum analyze`
  const worker = await service.openWorker()
  const dispatcher = new Agent({ pipelining: 1 })
  const pairs: Pair[] = []
  let owed = FIRST_OWED
  // The first round is the compiler's.
  for (let round = 0; round <= ROUNDS; round++) {
    const taken = await undisturbed(() => takeTurns(dispatcher, body, endpoints))
    if (round > 0) pairs.push(...taken.slice(1))
    // Twice what a round takes: a lane that ran dry would be measured waiting.
    owed = Math.max(owed, 2 * sumOf(taken.map(({ ours }) => ours)))
    await happen(service, endpoints, document, owed)
  }
  receiver.send({ open_ms: 60_000 } satisfies GateOrder)
  await service.db.sql`delete from job where pool = 'delivery' and status = 'queued'`
  await worker.close()
  // What is owed no more.
  await service.db.sql`delete from webhook_delivery where status = 'pending'`
  await dispatcher.close()
  const [failed] = await service.db.sql<{ count: number }>`
    select count(*) as count from webhook_delivery where status = 'failed'`
  if (failed?.count !== 0) throw new Error(`${failed?.count} deliveries failed`)
  report(endpoints, pairs)
}

function report(endpoints: number, pairs: readonly Pair[]): void {
  const who = endpoints === 1 ? '1 endpoint ' : `${endpoints} endpoints`
  const line = (what: string, turns: readonly Turn[]) =>
    console.log(
      `${what.padEnd(26)} ${median(turns.map(rate)).toFixed(0).padStart(6)} /s  ${describeCpu(cpuOf(turns), sumOf(turns))}`,
    )
  const [ours, bare] = [pairs.map((pair) => pair.ours), pairs.map((pair) => pair.bare)]
  line(`deliveries, ${who}`, ours)
  line('bare undici POST loop', bare)
  const ratios = pairs.map((pair) => rate(pair.ours) / rate(pair.bare))
  asked(`deliveries to a bare loop, ${who.trimEnd()}`, median(ratios), { at_least: 0.5 })
}

const service = await openService({ runs_jobs: false })
const document = await create(service, 'documents', FACTURA, { 'svc-empresa': service.rut, 'idempotency-key': 'first' })
for (const endpoints of [ENDPOINTS, 1]) await compare(service, endpoints, document)
receiver.kill()
await service.close()
