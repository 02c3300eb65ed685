import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { asked } from './asked.ts'
import { keepPace } from './pace.ts'
import { cpuSpent } from './process-cpu.ts'
import { openService, type Service } from './service.ts'

// A load that stays the same for a while (STEADY_MINUTES, 60 for an hour): what a document costs and leaves in the first tenth of
// it and in the last, and whether autovacuum, as it is set up, clears away as much as is left behind.
const MINUTES = Number(process.env.STEADY_MINUTES ?? 2)
const PER_SECOND = Number(process.env.STEADY_RATE ?? 40)
const TENTHS = 10
/** A document is written again three times on its way. Autovacuum looks once a minute, and at a table when a twentieth of it is dead. */
const WRITES = 3
const ROUND_SECONDS = 60
const DEAD_SHARE = 0.05
const RUTS = ['76192083-9', '76086428-5', '77123456-9', '96790240-3']
const run = promisify(execFile)
const LOAD = fileURLToPath(new URL('load-post.ts', import.meta.url))

const body = JSON.stringify({
  tipo_dte: 33,
  receptor: {
    rut: '77123456-9',
    legal_name: 'Pérez e Hijos Ltda.',
    giro: 'Comercio',
    address: { street: 'Calle Larga 56', comuna: 'Maipú', city: 'Santiago' },
  },
  items: [
    { description: 'Resma de papel carta', quantity: 2, unit_price: 2500 },
    { description: 'Lápiz grafito', quantity: 12, unit_price: 190.5 },
  ],
})

async function open(): Promise<Service> {
  const service = await openService({ runs_jobs: true })
  for (const rut of RUTS.filter((one) => one !== service.rut)) {
    const made = await fetch(`http://127.0.0.1:${service.port}/v1/empresas`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ rut, legal_name: 'Banco de Pruebas SpA' }),
    })
    if (made.status !== 201) throw new Error(await made.text())
  }
  return service
}

async function post({ port, secret }: Service, seconds: number): Promise<number> {
  const headers = { authorization: `Bearer ${secret}` }
  const rest = { path: '/v1/documents', headers, empresas: RUTS, body, per_second: PER_SECOND }
  const order = { port, seconds, connections: 8, ...rest }
  const { stdout } = await run(process.execPath, ['--import', 'tsx', LOAD, JSON.stringify(order)])
  const { refused, first_refusal, answers } = JSON.parse(stdout)
  // A machine that is busy otherwise refuses one now and then; a load that is refused is none.
  if (refused > answers / 100) throw new Error(`${refused} requests were refused: ${first_refusal}`)
  return answers
}

interface Room {
  /** Of all tables but the idempotent answers, which are gone after a day. */
  readonly bytes: number
  readonly queue_bytes: number
  readonly dead: number
  readonly document_dead: number
  readonly document_live: number
  readonly vacuums: number
}

async function roomOf({ db }: Service): Promise<Room> {
  const [room] = await db.sql<Room>`
    select sum(pg_total_relation_size(relid)) filter (where relname !~ '^idempotency')::bigint as bytes,
      sum(pg_total_relation_size(relid)) filter (where relname = 'job')::bigint as queue_bytes,
      sum(n_dead_tup)::bigint as dead, sum(autovacuum_count)::bigint as vacuums,
      sum(n_dead_tup) filter (where relname ~ '^document(_[0-9]+)?$')::bigint as document_dead,
      sum(n_live_tup) filter (where relname ~ '^document(_[0-9]+)?$')::bigint as document_live
    from pg_stat_user_tables`
  return room as Room
}

interface Tenth {
  readonly cpu: number
  /** Two RSA signatures in the same minutes. */
  readonly pair: number
  readonly bytes: number
  readonly room: Room
}

async function tenth(service: Service): Promise<Tenth> {
  const [cpu, room, pace] = [cpuSpent(), await roomOf(service), keepPace()]
  const documents = await post(service, (MINUTES * 60) / TENTHS)
  const { pair, spent: signing } = pace.stop()
  const [cpu_after, room_after] = [cpuSpent(), await roomOf(service)]
  const spent = cpu_after.own - cpu.own - signing + (cpu_after.postgres ?? 0) - (cpu.postgres ?? 0)
  return { cpu: spent / documents, pair, bytes: (room_after.bytes - room.bytes) / documents, room: room_after }
}

const service = await open()
try {
  // Until code is compiled, connections are open and the first folios are there.
  await post(service, 10)
  const tenths: Tenth[] = []
  for (let n = 0; n < TENTHS; n++) tenths.push(await tenth(service))
  const [first, last] = [tenths[0] as Tenth, tenths[TENTHS - 1] as Tenth]
  console.log(`${MINUTES} minutes at ${PER_SECOND} documents a second      first tenth   last tenth`)
  const row = (label: string, value: (one: Tenth) => number, digits: number) =>
    console.log(
      `${label.padEnd(44)} ${value(first).toFixed(digits).padStart(12)} ${value(last).toFixed(digits).padStart(12)}`,
    )
  row('CPU a document, ms', ({ cpu }) => cpu, 2)
  row('CPU to two RSA signatures', ({ cpu, pair }) => cpu / pair, 1)
  row('bytes a document', ({ bytes }) => bytes, 0)
  row('dead rows of all tables', ({ room }) => room.dead, 0)
  row('dead rows of documents', ({ room }) => room.document_dead, 0)
  row('bytes of the queue', ({ room }) => room.queue_bytes, 0)
  const peak = (some: readonly Tenth[]) => Math.max(...some.map(({ room }) => room.queue_bytes))
  const [queue, again] = [peak(tenths.slice(0, TENTHS / 2)), peak(tenths.slice(TENTHS / 2))]
  const allowed = DEAD_SHARE * last.room.document_live + 2 * ROUND_SECONDS * PER_SECOND * WRITES
  const reach: [string, number, number][] = [
    ['CPU to signatures, last tenth to the first', last.cpu / last.pair / (first.cpu / first.pair), 1.2],
    ['bytes, last tenth to the first', last.bytes / first.bytes, 1.2],
    ['dead rows of documents to what autovacuum allows', last.room.document_dead / allowed, 1],
    ['the queue, its second half to its first', again / queue, 2],
  ]
  for (const [label, value, at_most] of reach) asked(label, value, { at_most })
  const keeps_up = reach.slice(1).every(([, value, most]) => value <= most)
  const times = last.room.vacuums - first.room.vacuums
  console.log(`vacuum ${keeps_up ? 'keeps up' : 'falls behind'}; it cleared ${times} tables between the two`)
} finally {
  await service.close()
}
