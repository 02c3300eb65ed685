import { execFile } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createSigner, NO_AUTHORITIES } from '../packages/dte/src/emission.ts'
import { openCertificate } from '../packages/dte/src/index.ts'
import { asked } from './asked.ts'
import { FACTURA, ITEMS } from './factura.ts'
import { issuePfx, openLiveEmpresa } from './live-empresa.ts'
import { cpuSpent } from './process-cpu.ts'
import { built, openService } from './service.ts'

// What a document costs our process from POST to accepted, on the live road (the SII's own protocols over TLS, a
// simulator in another process, which is not counted) and in test mode, signed with the same key: under load, where
// documents share envelopes, and when they come so seldom that each has its own.
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 2)
interface Load {
  readonly seconds: number
  readonly per_second: number
}
const LOADS: Readonly<Record<string, Load>> = {
  'under load': { seconds: 5, per_second: 60 },
  // Long beside the ten seconds after which a verdict is first asked for: while they pass, the queue is looked at as often
  // as under way, and that belongs to the last document no more than to the others.
  'one by one': { seconds: 20, per_second: 4 },
}
const CONNECTIONS = 16
const FOLIOS = 20_000
const run = promisify(execFile)
const LOAD = fileURLToPath(new URL('load-post.ts', import.meta.url))

/** What is issued, and the SII's name for the call that hands an envelope of it over. */
interface Subject {
  readonly name: string
  readonly body: string
  readonly upload: string
}
const SUBJECTS: readonly Subject[] = [
  { name: 'facturas', body: FACTURA, upload: 'DTEUpload' },
  { name: 'boletas', body: JSON.stringify({ tipo_dte: 39, items: ITEMS }), upload: 'boleta.envio' },
]

const data_dir = mkdtempSync(join(tmpdir(), 'timbre-bench-sii-'))
const simulator = await built.openSimulator({ data_dir, reception_smtp_port: null, sii_simulator_url: null })
const pfx = await issuePfx(simulator)
const opened = openCertificate(Buffer.from(pfx, 'base64'), 'clave', new Date())
if (!opened.ok) throw new Error(opened.refusal.message)
const key = createPrivateKey(opened.value.key.export({ type: 'pkcs8', format: 'pem' }))
const signer = createSigner(key, new X509Certificate(opened.value.certificate))

const calls = new Map<string, number>()
const count = (...names: string[]) => names.reduce((sum, name) => sum + (calls.get(name) ?? 0), 0)
let live_sii: Awaited<ReturnType<typeof built.connectSii>> | undefined
const service = await openService({
  runs_jobs: true,
  sii: async ({ db, vault, weather }) => {
    const onCall: typeof weather.called = (call) => {
      calls.set(call.operation, (calls.get(call.operation) ?? 0) + 1)
      weather.called(call)
    }
    const parts = { sql: db.sql, vault, authorities: NO_AUTHORITIES, simulator, onCall }
    live_sii = await built.connectSii({ sii: 'simulator' }, parts)
    return {
      test: { ...built.sandboxSii({ sql: db.sql, steady: db.steady.sql, vault }), signerFor: async () => signer },
      live: live_sii,
    }
  },
})
const live = await openLiveEmpresa(service, simulator, pfx, FOLIOS)

type Road = 'test' | 'live'
const roads = { test: service, live }

async function post(road: Road, { body }: Subject, { seconds, per_second }: Load): Promise<number> {
  const { secret, rut } = roads[road]
  const headers = { authorization: `Bearer ${secret}`, 'svc-empresa': rut }
  const order = {
    port: service.port,
    seconds,
    per_second,
    connections: CONNECTIONS,
    path: '/v1/documents',
    headers,
    body,
  }
  const { stdout } = await run(process.execPath, ['--import', 'tsx', LOAD, JSON.stringify(order)])
  const { answers, refused, first_refusal } = JSON.parse(stdout)
  if (refused > 0) throw new Error(`${refused} requests were refused: ${first_refusal}`)
  return answers
}

const IDLE_LOOKS = 10

/** Looks twice a second until every document is accepted, or as often as is asked. */
async function untilAccepted(looks = 0): Promise<void> {
  for (let look = 1; ; look++) {
    const rows = await service.db.sql<{ status: string; documents: number }>`
      select status, count(*)::int as documents from document where status <> 'accepted' group by status`
    const ended = rows.find(({ status }) => ['failed', 'rejected', 'reparo'].includes(status))
    if (ended) throw new Error(`${ended.documents} documents are ${ended.status}`)
    if (rows.length === 0 && look >= looks) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Processor milliseconds a document, of this process alone and with PostgreSQL. */
interface Cost {
  readonly own: number
  readonly all: number
}

let live_documents = 0

/** Processor milliseconds a millisecond while nothing happens: waiting for a verdict is no cost of a document. */
async function idleCost(): Promise<Cost> {
  const [before, started] = [cpuSpent(), performance.now()]
  await untilAccepted(IDLE_LOOKS)
  return costBetween(before, cpuSpent(), performance.now() - started)
}

type Spent = ReturnType<typeof cpuSpent>

function costBetween(before: Spent, after: Spent, over: number): Cost {
  const own = after.own - before.own
  const postgres = (after.postgres ?? 0) - (before.postgres ?? 0)
  return { own: own / over, all: (own + postgres) / over }
}

async function costOf(road: Road, subject: Subject, load: Load): Promise<Cost> {
  const idle = await idleCost()
  const [before, started] = [cpuSpent(), performance.now()]
  const documents = await post(road, subject, load)
  await untilAccepted()
  const spent = costBetween(before, cpuSpent(), documents)
  const waited = (performance.now() - started) / documents
  if (road === 'live') live_documents += documents
  return { own: spent.own - idle.own * waited, all: spent.all - idle.all * waited }
}

async function compare(subject: Subject, name: string, load: Load): Promise<void> {
  const costs: Record<Road, Cost[]> = { test: [], live: [] }
  const envelopes = () => count(subject.upload)
  const [documents_before, envelopes_before] = [live_documents, envelopes()]
  for (let round = 0; round < ROUNDS; round++) {
    for (const road of ['test', 'live'] as const) costs[road].push(await costOf(road, subject, load))
  }
  const least = (road: Road, which: keyof Cost) => Math.min(...costs[road].map((cost) => cost[which]))
  const ms = (road: Road) => `${least(road, 'own').toFixed(1)} ms (${least(road, 'all').toFixed(1)} with PostgreSQL)`
  const ratio = (which: keyof Cost) => least('live', which) / least('test', which)
  const each = (live_documents - documents_before) / (envelopes() - envelopes_before)
  console.log(`${subject.name} ${name}, ${each.toFixed(1)} documents an envelope`)
  console.log(`  POST to accepted in test mode   ${ms('test')}`)
  console.log(`  POST to accepted in live mode   ${ms('live')}`)
  const because = `${ratio('all').toFixed(2)} with PostgreSQL`
  asked(`${subject.name} ${name}, live to test`, ratio('own'), { at_most: 1.3 }, { because })
}

// The first documents load the engine, ask for the token and make the sandbox's keys.
for (const subject of SUBJECTS)
  for (const road of ['test', 'live'] as const) await costOf(road, subject, { seconds: 2, per_second: 60 })
await service.db.sql`analyze`
for (const subject of SUBJECTS) for (const [name, load] of Object.entries(LOADS)) await compare(subject, name, load)
asked(
  `tokens for ${live_documents} documents, of 1,000`,
  (1_000 * count('getToken', 'boleta.token')) / live_documents,
  {
    at_most: 2,
  },
)
const uploads = count(...SUBJECTS.map(({ upload }) => upload))
const questions = count('getEstUp', 'boleta.envio.estado')
console.log(`questions an envelope, whatever it holds       ${(questions / uploads).toFixed(2)}`)
asked('questions about one document', count('getEstDte') + count('getEstDteAv'), { at_most: 0 }, { digits: 0 })
await live_sii?.close()
await service.close()
await simulator.close()
rmSync(data_dir, { recursive: true, force: true })
