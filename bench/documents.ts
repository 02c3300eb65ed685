import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { FACTURA } from './factura.ts'
import { built, openService } from './service.ts'
import { medianAnswers } from './trickle.ts'
import { undisturbed } from './undisturbed.ts'

// POST /v1/documents against a bare route of the same framework that runs the same single statement, and that route against a
// durable insert of one row, as many at a time, without any HTTP. Then how long one answer takes, when they come one at a time.
// On a machine that others use: BENCH_REALTIME=1 BENCH_SECONDS=2.
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const ROUNDS = 3
const CONNECTIONS = 32
/** Requests of each route, when they come one at a time. */
const TRICKLE = 150
const run = promisify(execFile)
const LOAD = fileURLToPath(new URL('load-post.ts', import.meta.url))

const service = await openService({ runs_jobs: false })
const { db } = service
const headers = { authorization: `Bearer ${service.secret}`, 'svc-empresa': service.rut }

async function rate(port: number): Promise<number> {
  const order = { port, seconds: SECONDS, connections: CONNECTIONS, path: '/v1/documents', headers, body: FACTURA }
  const { stdout } = await run(process.execPath, ['--import', 'tsx', LOAD, JSON.stringify(order)])
  const { per_second, refused, first_refusal } = JSON.parse(stdout)
  if (refused > 0) throw new Error(`${refused} requests were refused: ${first_refusal}`)
  return per_second
}

// The row of a document that was really created, so that both write the same bytes.
await fetch(`http://127.0.0.1:${service.port}/v1/documents`, {
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'first' },
  body: FACTURA,
})
type Row = Parameters<typeof built.insertDocument>[0]
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

const bare = Fastify()
bare.post('/v1/documents', async (request, reply) => {
  const row = { ...model, id: built.newId('document'), created_at: new Date(built.systemNow()) }
  const unit = new built.UnitOfWork(owner, built.fanOut)
  const shown = built.showDocument(row, addresses)
  unit.write((when) => built.insertDocument(row, when))
  unit.emit({ type: 'document.created', object: shown, empresa: { id: service.empresa_id, rut: service.rut } })
  await unit.enqueue(db.sql, built.emitDocuments, { payload: { document_id: row.id }, lane: `${row.empresa_id}:33` })
  const key = String(request.headers['idempotency-key'])
  const scope = { account_id: owner.account_id, mode: 'test', empresa_id: owner.empresa_id, operation: 'bare', key }
  await unit.flushInOneStatement(db.sql, scope, { status: 201, sealed })
  return reply.code(201).send(shown)
})
await bare.listen({ host: '127.0.0.1', port: 0 })
const theirs = (bare.server.address() as AddressInfo).port

const rates: { bare: number[]; ours: number[] } = { bare: [], ours: [] }
for (let round = 0; round < ROUNDS; round++) {
  rates.bare.push(await undisturbed(() => rate(theirs)))
  rates.ours.push(await undisturbed(() => rate(service.port)))
}
await db.sql`create table bare_row (id bigint generated always as identity primary key, words text not null)`
async function insertRate(): Promise<number> {
  const started = performance.now()
  let rows = 0
  const hand = async () => {
    while (performance.now() - started < SECONDS * 1000) {
      await db.sql`insert into bare_row (words) values (${'a row of no importance'})`
      rows++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, hand))
  return (rows / (performance.now() - started)) * 1000
}
const inserts = await undisturbed(insertRate)
const [answered = Number.NaN, bare_answered = Number.NaN] = await undisturbed(() =>
  medianAnswers([service, { ...service, port: theirs }], TRICKLE),
)

const best = (list: number[]) => Math.max(...list)
console.log(`POST /v1/documents         ${best(rates.ours).toFixed(0)} /s`)
console.log(`bare route, same statement ${best(rates.bare).toFixed(0)} /s`)
console.log(`ratio (must reach 0.75)    ${(best(rates.ours) / best(rates.bare)).toFixed(2)}`)
console.log(`durable insert of one row  ${inserts.toFixed(0)} /s`)
console.log(`bare route to that (must reach 0.10) ${(best(rates.bare) / inserts).toFixed(2)}`)
console.log(`one at a time, p50         ${answered.toFixed(2)} ms, of the bare route ${bare_answered.toFixed(2)} ms`)
console.log(`ratio (must stay below 3)  ${(answered / bare_answered).toFixed(2)}`)

await bare.close()
await service.close()
