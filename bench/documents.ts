import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { asked } from './asked.ts'
import { FACTURA } from './factura.ts'
import { built, openService } from './service.ts'
import { medianAnswers } from './trickle.ts'
import { KEY, median, openTurns, type TurnCost } from './turns.ts'
import { undisturbed } from './undisturbed.ts'

// POST /v1/documents against a bare route of the same framework that runs the same single statement for each call, where POSTs that come
// together share theirs (joint-writes.ts); and that route against a durable insert of one row, as many at a time, without any HTTP.
// Then how long one answer takes, when they come one at a time.
// The three take turns of a fraction of a second, and what is told are the medians of their ratios.
const TURN_MS = 250
const TURNS = Number(process.env.BENCH_TURNS ?? 40)
/** Calls of ours before any is counted: V8 compiles for the first thousands. A slow machine gets as far as it gets. */
const WARM_UP = 6_000
const WARM_UP_MS = 60_000
const CONNECTIONS = 32
/** Requests of each route, when they come one at a time. */
const TRICKLE = 150

const service = await openService({ runs_jobs: false })
const { db } = service
const headers = { authorization: `Bearer ${service.secret}`, 'svc-empresa': service.rut }

// The row of a document that was really created, so that both write the same bytes.
await fetch(`http://127.0.0.1:${service.port}/v1/documents`, {
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'first' },
  body: FACTURA,
})
type Row = Parameters<typeof built.newDocuments>[0][number]
const [model] = await db.sql<Row>`select * from document limit 1`
if (!model) throw new Error('the first document was refused')
const sealed = randomBytes(1100)
const owner = {
  account_id: service.account_id,
  mode: 'test',
  empresa_id: service.empresa_id,
  clock: built.REAL_TIME,
} as const
const addresses = { base_url: 'http://b/v1' }

const fanOut = built.openFanOut()
const bare = Fastify()
bare.post('/v1/documents', async (request, reply) => {
  const row = { ...model, id: built.newId('document'), created_at: new Date(built.systemNow()) }
  const unit = new built.UnitOfWork(owner, fanOut)
  const shown = built.showDocument(row, addresses)
  unit.write(built.newDocuments, [row])
  unit.emit({ type: 'document.created', object: shown, empresa: { id: service.empresa_id, rut: service.rut } })
  await unit.enqueue(db.steady.sql, built.emitDocuments, {
    payload: { document_id: row.id },
    lane: `${row.empresa_id}:33`,
  })
  const key = String(request.headers['idempotency-key'])
  const scope = { account_id: owner.account_id, mode: 'test', empresa_id: owner.empresa_id, operation: 'bare', key }
  await unit.flushInOneStatement(db.steady.sql, [{ key: scope, answer: { status: 201, sealed } }])
  return reply.code(201).send(shown)
})
await bare.listen({ host: '127.0.0.1', port: 0 })
const theirs = (bare.server.address() as AddressInfo).port

await db.sql`create table bare_row (id bigint generated always as identity primary key, words text not null)`
async function insertRate(): Promise<number> {
  const started = performance.now()
  let rows = 0
  const hand = async () => {
    while (performance.now() - started < TURN_MS) {
      await db.sql`insert into bare_row (words) values (${'a row of no importance'})`
      rows++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, hand))
  return (rows / (performance.now() - started)) * 1000
}

const sent = [
  'POST /v1/documents HTTP/1.1',
  'Host: 127.0.0.1',
  'Content-Type: application/json',
  `Content-Length: ${Buffer.byteLength(FACTURA)}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  `Idempotency-Key: ${KEY}`,
]
const request = `${sent.join('\r\n')}\r\n\r\n${FACTURA}`
const [our_load, bare_load] = [await openTurns(service.port, CONNECTIONS), await openTurns(theirs, CONNECTIONS)]

interface Round {
  readonly ours: TurnCost
  readonly bare: TurnCost
  readonly inserts: number
}
async function takeTurns(): Promise<Round> {
  const ours = await our_load.turn(request, TURN_MS)
  const bare = await bare_load.turn(request, TURN_MS)
  return { ours, bare, inserts: await insertRate() }
}
const warm_until = performance.now() + WARM_UP_MS
for (let calls = 0; calls < WARM_UP && performance.now() < warm_until; ) {
  const { ours } = await takeTurns()
  calls += (ours.per_second * TURN_MS) / 1000
}
const rounds: Round[] = []
await undisturbed(async () => {
  for (let turn = 0; turn < TURNS; turn++) rounds.push(await takeTurns())
})
our_load.close()
bare_load.close()
const [answered = Number.NaN, bare_answered = Number.NaN] = await undisturbed(() =>
  medianAnswers([service, { ...service, port: theirs }], TRICKLE),
)

const figure = (of: (round: Round) => number) => median(rounds.map(of))
const [ours, bare_route] = [figure((one) => one.ours.per_second), figure((one) => one.bare.per_second)]
const ours_ms = figure((one) => one.ours.cpu_ms).toFixed(2)
const bare_ms = figure((one) => one.bare.cpu_ms).toFixed(2)
console.log(`POST /v1/documents         ${ours.toFixed(0)} /s, ${ours_ms} ms of Node's CPU`)
console.log(`bare route, same statement ${bare_route.toFixed(0)} /s, ${bare_ms} ms`)
asked(
  'POST /v1/documents to that',
  figure((one) => one.ours.per_second / one.bare.per_second),
  { at_least: 0.75 },
)
console.log(`durable insert of one row  ${figure((one) => one.inserts).toFixed(0)} /s`)
asked(
  'the statement to a durable insert of one row',
  figure((one) => one.bare.per_second / one.inserts),
  { at_least: 0.1 },
)
console.log(`one at a time, p50         ${answered.toFixed(2)} ms, of the bare route ${bare_answered.toFixed(2)} ms`)
asked('one at a time to a bare route', answered / bare_answered, { below: 3 })

await bare.close()
await service.close()
