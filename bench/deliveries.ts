import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Agent, request } from '../packages/server/node_modules/undici/index.js'
import { built, openService, type Service } from './service.ts'
import { undisturbed } from './undisturbed.ts'

// Deliveries of our worker against a bare loop of POSTs with the same body to the same receiver. On a machine that others use:
// BENCH_REALTIME=1 BENCH_DELIVERIES=8000.
const ROUNDS = 3
/** So many that what a process pays once, opening its routes and compiling its code, weighs as little as it does in one that runs for days. */
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 16_000)
const ENDPOINTS = Number(process.env.BENCH_ENDPOINTS ?? 4)
/** What the worker has under way at one endpoint at most. */
const LANE = 32

const receiver = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('receiver.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = (await once(receiver.stdout, 'data')) as [Buffer]
const url = `http://127.0.0.1:${line.toString().trim()}/hook`

/** As many requests at a time as the worker makes, and nothing else. */
async function bareRate(body: string, endpoints: number): Promise<number> {
  const dispatcher = new Agent({ pipelining: 1 })
  const headers = { 'content-type': 'application/json' }
  let left = DELIVERIES
  const loop = async () => {
    while (left-- > 0) {
      const answer = await request(url, { method: 'POST', body, headers, dispatcher })
      await answer.body.dump()
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: endpoints * LANE }, loop))
  const seconds = (performance.now() - started) / 1000
  await dispatcher.close()
  return DELIVERIES / seconds
}

async function openEndpoints(service: Service, count: number): Promise<void> {
  await service.db.sql`delete from webhook_endpoint`
  for (let i = 0; i < count; i++) {
    const made = await fetch(`http://127.0.0.1:${service.port}/v1/webhook_endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    })
    if (made.status !== 201) throw new Error(await made.text())
  }
}

/** Events with their deliveries, written while no worker looks. */
async function happen(service: Service, endpoints: number, object: object): Promise<void> {
  const owner = { account_id: service.account_id, mode: 'test', empresa_id: null, clock: built.REAL_TIME } as const
  const empresa = { id: service.empresa_id, rut: service.rut }
  for (let left = DELIVERIES / endpoints; left > 0; left -= 100) {
    const unit = new built.UnitOfWork(owner, built.fanOut)
    for (let i = 0; i < Math.min(left, 100); i++) unit.emit({ type: 'document.accepted', object, empresa })
    await service.db.transact((sql) => unit.flush(sql))
  }
}

async function received(): Promise<number> {
  return Number(await (await fetch(url)).text())
}

async function unfinished({ db }: Service): Promise<number> {
  const [row] = await db.sql<{ count: number }>`select count(*) as count from job where pool = 'delivery'`
  return row?.count ?? 0
}

async function ourRate(service: Service, endpoints: number, object: object): Promise<number> {
  await openEndpoints(service, endpoints)
  await happen(service, endpoints, object)
  await service.db.sql`vacuum analyze`
  const before = await received()
  const [worker, seconds] = await undisturbed(async () => {
    const opened = await service.openWorker()
    const started = performance.now()
    // Asking the receiver costs next to nothing; counting rows while they are worked on would be work of its own.
    while ((await received()) - before < DELIVERIES) await sleep(20)
    while ((await unfinished(service)) > 0) await sleep(5)
    return [opened, (performance.now() - started) / 1000] as const
  })
  await worker.close()
  const [failed] = await service.db.sql<{ count: number }>`
    select count(*) as count from webhook_delivery where status <> 'succeeded'`
  if (failed?.count !== 0) throw new Error(`${failed?.count} deliveries did not succeed`)
  return DELIVERIES / seconds
}

const service = await openService({ runs_jobs: false })
const document = { object: 'document', id: built.newId('document'), note: 'x'.repeat(1_200) }
const body = JSON.stringify({
  id: built.newId('event'),
  object: 'event',
  type: 'document.accepted',
  data: { object: document },
})

for (const endpoints of [ENDPOINTS, 1]) {
  const rates: { bare: number[]; ours: number[] } = { bare: [], ours: [] }
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(await undisturbed(() => bareRate(body, endpoints)))
    rates.ours.push(await ourRate(service, endpoints, document))
  }
  const best = (list: number[]) => Math.max(...list)
  const who = endpoints === 1 ? '1 endpoint ' : `${endpoints} endpoints`
  console.log(`deliveries, ${who}    ${best(rates.ours).toFixed(0)} /s`)
  console.log(`bare undici POST loop      ${best(rates.bare).toFixed(0)} /s`)
  console.log(`ratio (must reach 0.50)    ${(best(rates.ours) / best(rates.bare)).toFixed(2)}`)
}

receiver.kill()
await service.close()
