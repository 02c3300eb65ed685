import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { asked } from './asked.ts'
import { type BareService, openBareService } from './bare-service.ts'
import { CROWD, openEmpresas, RUTS } from './empresas.ts'
import { FACTURA } from './factura.ts'
import { keepPace, type Pace } from './pace.ts'
import { cpuSpent } from './process-cpu.ts'
import { openService, type Service } from './service.ts'
import { OTHER_KIND } from './signatures.ts'
import { readLedger } from './statement-ledger.ts'

// What a document costs from its POST until it is accepted, in test mode, at as many as can be, at a tenth of that, at 70 a second and at
// five: processor time of this process and of PostgreSQL, statements, and which part of the road they belong to. Told as ratios to the
// two RSA signatures that it must have in live mode, and to a durable insert of one row. Five a second is asked for as a ratio to a bare
// service: there a machine that wakes up for each request is what costs (decision 0027).
const SECONDS = Number(process.env.BENCH_SECONDS ?? 15)
/**
 * Documents before any is counted. After three thousand a quarter of all that Node spends was still V8's on its own threads, which
 * compile and collect, after nine thousand a twelfth: what is counted is to be what a process costs that runs for days. A slow
 * machine gets as far as it gets.
 */
const WARM_UP = 9_000
const WARM_UP_SECONDS = 90
/**
 * Then documents that come alone in their lanes, which at five a second are all of them. Without these, V8 was still compiling what only they
 * run while they were counted: 2.2 ms of 23 for each, for many minutes. A process at five a second is past that within the hour.
 */
const LONE = { seconds: 90, per_second: 40 }
/** Of each pace first so long uncounted: where a pace changes, what was compiled for the one before is compiled again. */
const SAME_PACE_SECONDS = 20
/** Given how many a second were settled of as many as could be. */
const belowSaturation = (most: number) => [
  { name: 'a tenth of that', per_second: most / 10, seconds: SECONDS },
  { name: '70 a second', per_second: 70, seconds: SECONDS },
  // Longer, or whether V8 happens to collect its whole heap meanwhile is an eighth of the figure.
  { name: 'five a second', per_second: 5, seconds: 3 * SECONDS },
]
const run = promisify(execFile)
const LOAD = fileURLToPath(new URL('load-post.ts', import.meta.url))
const VERBOSE = process.argv.includes('--statements') || process.env.BENCH_STATEMENTS === '1'

interface Insert {
  /** Milliseconds of PostgreSQL's processor for a durable insert of one row. */
  readonly ms: number
  /** Two signatures in the same seconds. */
  readonly pair: number
}

async function bareInsert({ db }: Service): Promise<Insert> {
  await db.sql`create table bare (id bigint generated always as identity primary key, words text not null)`
  const insert = () => db.sql`insert into bare (words) values (${'a row of no importance'})`
  for (let i = 0; i < 200; i++) await insert()
  const [before, pace] = [cpuSpent().postgres ?? 0, keepPace()]
  const rows = 3_000
  for (let i = 0; i < rows; i++) await insert()
  const spent = (cpuSpent().postgres ?? 0) - before
  await db.sql`drop table bare`
  return { ms: spent / rows, pair: pace.stop().pair }
}

async function open(): Promise<Service> {
  const service = await openService({ runs_jobs: true, counts_statements: true })
  await openEmpresas(service)
  return service
}

interface Load {
  readonly seconds: number
  readonly per_second?: number | undefined
  readonly requests?: number
  readonly empresas?: readonly string[]
}

async function post(
  { port, secret }: Pick<Service, 'port' | 'secret'>,
  { seconds, per_second, requests, empresas = RUTS }: Load,
): Promise<number> {
  const headers = { authorization: `Bearer ${secret}` }
  const connections = per_second === undefined ? 32 : 8
  const order = {
    port,
    seconds,
    connections,
    path: '/v1/documents',
    headers,
    empresas,
    body: FACTURA,
    per_second,
    requests,
  }
  const { stdout } = await run(process.execPath, ['--import', 'tsx', LOAD, JSON.stringify(order)])
  const { refused, first_refusal, answers } = JSON.parse(stdout)
  if (refused > 0) throw new Error(`${refused} requests were refused: ${first_refusal}`)
  return answers
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function untilSettled({ db }: Service): Promise<void> {
  for (;;) {
    const [open] = await db.sql<{ some: boolean }>`
      select exists (select from document where status <> 'accepted') as some`
    if (!open?.some) return
    await pause(100)
  }
}

interface Cost {
  readonly pace: Pace
  readonly documents: number
  readonly per_second: number
  readonly node: number
  readonly postgres: number
  readonly ledger: Awaited<ReturnType<typeof readLedger>>
}

async function measure(service: Service, load: Load): Promise<Cost> {
  await post(service, { ...load, seconds: SAME_PACE_SECONDS })
  await untilSettled(service)
  await service.db.sql`select pg_stat_statements_reset()`
  const [before, started, pace] = [cpuSpent(), performance.now(), keepPace()]
  const documents = await post(service, load)
  await untilSettled(service)
  const [kept, after, ended] = [pace.stop(), cpuSpent(), performance.now()]
  const ledger = await readLedger(service.db.sql)
  return {
    pace: kept,
    documents,
    per_second: (documents / (ended - started)) * 1000,
    node: (after.own - before.own - kept.spent) / documents,
    postgres: ((after.postgres ?? 0) - (before.postgres ?? 0)) / documents,
    ledger,
  }
}

/** What a service that does next to nothing costs at the same pace: processor milliseconds a document. */
async function measureBare(bare: BareService, secret: string, load: Load): Promise<number> {
  await post({ port: bare.port, secret }, { ...load, seconds: 2 })
  await bare.untilSettled()
  const before = cpuSpent()
  const documents = await post({ port: bare.port, secret }, load)
  await bare.untilSettled()
  const after = cpuSpent()
  return (after.own - before.own + (after.postgres ?? 0) - (before.postgres ?? 0)) / documents
}

const service = await open()
await post(service, { seconds: WARM_UP_SECONDS, requests: WARM_UP })
await untilSettled(service)
await openEmpresas(service, CROWD)
await post(service, { ...LONE, empresas: CROWD })
await untilSettled(service)
// What all these left is not to be cleared away on the account of the few that are counted.
await service.db.sql`vacuum analyze`
await post(service, { seconds: 4, per_second: 200 })
const insert = await bareInsert(service)
console.log(
  `a durable insert of one row: ${insert.ms.toFixed(3)} ms of PostgreSQL, two RSA signatures ${insert.pair.toFixed(3)}`,
)
const bare = await openBareService(service)
await post({ port: bare.port, secret: service.secret }, { seconds: 20, requests: 6_000 })
await bare.untilSettled()
/** Measures one pace and prints what it costs. Gives how many were settled a second. */
async function tell({ name, ...load }: Load & { readonly name: string }): Promise<number> {
  const { per_second } = load
  const is_lone = per_second === 5
  const cost = await measure(service, load)
  const least = await measureBare(bare, service.secret, load)
  const { documents, ledger } = cost
  const cpu = cost.node + cost.postgres
  const statements = ledger.reduce((sum, { calls }) => sum + calls, 0) / documents
  const ms = ledger.reduce((sum, line) => sum + line.ms, 0) / documents
  console.log(`\n${name}: ${documents} documents, ${cost.per_second.toFixed(0)} settled a second`)
  const figure = (label: string, value: number, reach: string) =>
    console.log(`${label.padEnd(44)} ${value.toFixed(2).padStart(6)}  ${reach}`)
  const { pair, sandbox_pair } = cost.pace
  const there = OTHER_KIND.rest * (cpu - sandbox_pair) + OTHER_KIND.rsa * sandbox_pair
  figure('two RSA signatures at this load, ms', pair, '')
  figure('  with the keys of the sandbox', sandbox_pair, '')
  figure('CPU a document, ms', cpu, '')
  figure('  of Node', cost.node, '')
  figure('  of PostgreSQL', cost.postgres, '')
  if (is_lone) figure('CPU to two RSA signatures', cpu / pair, '')
  else
    asked(
      `CPU to two RSA signatures, ${name}`,
      cpu / pair,
      { at_most: 6.1 },
      { because: '2.5 ms where they cost 0.41' },
    )
  const there_too = `(by arithmetic, ${there.toFixed(1)} ms)`
  figure(`  ${OTHER_KIND.described}`, there / (OTHER_KIND.rsa * pair), there_too)
  figure('PostgreSQL to a bare insert at this pace', cost.postgres / ((insert.ms * pair) / insert.pair), '')
  figure('a bare service at this pace, ms', least, '(a route, two signatures, four durable rows)')
  if (is_lone) asked(`  ours to that, ${name}`, cpu / least, { at_most: 5 })
  else figure('  ours to that', cpu / least, '')
  if (per_second === 70) asked(`statements a document, ${name}`, statements, { at_most: 12 })
  else figure('statements a document', statements, '')
  figure('time inside statements, ms', ms, '')
  if (per_second === 70)
    asked(`  to two RSA signatures, ${name}`, ms / pair, { at_most: 2.9 }, { because: '1.2 ms where they cost 0.41' })
  else figure('  to two RSA signatures', ms / pair, '')
  for (const line of ledger.filter((one) => one.ms / documents >= 0.01 || one.calls / documents >= 0.2)) {
    const [calls, spent, planned] = [line.calls, line.ms, line.planning_ms].map((value) =>
      (value / documents).toFixed(3),
    )
    console.log(`    ${line.part.padEnd(40)} ${calls} times, ${spent} ms (planning ${planned})`)
    if (VERBOSE) for (const text of line.texts) console.log(`        ${text}`)
  }
  return cost.per_second
}

const most = await tell({ name: 'all it can', seconds: SECONDS })
for (const pace of belowSaturation(most)) await tell(pace)
await bare.close()
await service.close()
