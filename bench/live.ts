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
import { CROWD, openEmpresas } from './empresas.ts'
import { FACTURA, ITEMS } from './factura.ts'
import { issuePfx, openLiveEmpresas } from './live-empresa.ts'
import { cpuSpent } from './process-cpu.ts'
import { built, openService } from './service.ts'

// What a document costs from POST to accepted, PostgreSQL's part with it, on the live road (the SII's own protocols over TLS, a
// simulator in another process, which is not counted) and in test mode, signed with the same key: under load, where
// documents share envelopes, and when they come so seldom that most have their own.
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 2)
interface Load {
  readonly seconds: number
  readonly per_second: number
  /** The most that live mode may cost, in test mode's cost. An envelope has statements that test mode has none of (0023): alone in it, a document bears them all. */
  readonly at_most?: number
}
const LOADS: Readonly<Record<string, Load>> = {
  'under load': { seconds: 5, per_second: 60, at_most: 1.3 },
  // Long beside the ten seconds after which a verdict is first asked for: while they pass, the queue is looked at as often
  // as under way, and that belongs to the last document no more than to the others.
  'one by one': { seconds: 20, per_second: 4 },
}
/**
 * Before any is counted: documents of several empresas, so that each has its own envelope and the code of an envelope runs some hundreds
 * of times. With a hundred documents in six envelopes it was not yet compiled, on the live road alone, which has more of it.
 */
const WARM_UP: Load = { seconds: 30, per_second: 20 }
const EMPRESAS = 8
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
    const parts = { sql: db.sql, steady: db.steady.sql, vault, authorities: NO_AUTHORITIES, simulator, onCall }
    live_sii = await built.connectSii({ sii: 'simulator' }, parts)
    return {
      test: { ...built.sandboxSii({ sql: db.sql, steady: db.steady.sql, vault }), signerFor: async () => signer },
      live: live_sii,
    }
  },
})
const ruts = CROWD.slice(0, EMPRESAS)
await openEmpresas(service, ruts)
const live = await openLiveEmpresas(service, simulator, { pfx, ruts, folios: FOLIOS })

type Road = 'test' | 'live'
const secrets = { test: service.secret, live: live.secret }

async function post(road: Road, { body }: Subject, { seconds, per_second }: Load, empresas: readonly string[]) {
  const headers = { authorization: `Bearer ${secrets[road]}` }
  const order = {
    port: service.port,
    seconds,
    per_second,
    connections: CONNECTIONS,
    path: '/v1/documents',
    headers,
    empresas,
    body,
  }
  const { stdout } = await run(process.execPath, ['--import', 'tsx', LOAD, JSON.stringify(order)])
  const { answers, refused, first_refusal } = JSON.parse(stdout)
  if (refused > 0) throw new Error(`${refused} requests were refused: ${first_refusal}`)
  return answers as number
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
const idle: Record<keyof Cost, number> = { own: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY }

/**
 * The quietest of all the spells of a run. V8 compiles and collects for a while after a load, and a spell that holds such work,
 * over the quarter of a second that passes between two lone documents, outweighs what a document costs.
 */
async function idleFor(looks: number): Promise<void> {
  const [before, started] = [cpuSpent(), performance.now()]
  await untilAccepted(looks)
  const spent = costBetween(before, cpuSpent(), performance.now() - started)
  idle.own = Math.min(idle.own, spent.own)
  idle.all = Math.min(idle.all, spent.all)
}

type Spent = ReturnType<typeof cpuSpent>

function costBetween(before: Spent, after: Spent, over: number): Cost {
  const own = after.own - before.own
  const postgres = (after.postgres ?? 0) - (before.postgres ?? 0)
  return { own: own / over, all: (own + postgres) / over }
}

/** What a load cost, and how long it lasted: milliseconds a document. */
interface Run extends Cost {
  readonly lasted: number
}

/** Of one empresa, where its documents are to share envelopes. */
const ONE = ruts.slice(0, 1)

async function runLoad(road: Road, subject: Subject, load: Load, empresas = ONE): Promise<Run> {
  await idleFor(IDLE_LOOKS)
  const [before, started] = [cpuSpent(), performance.now()]
  const documents = await post(road, subject, load, empresas)
  await untilAccepted()
  const spent = costBetween(before, cpuSpent(), documents)
  if (road === 'live') live_documents += documents
  return { ...spent, lasted: (performance.now() - started) / documents }
}

async function compare(subject: Subject, name: string, load: Load): Promise<void> {
  const runs: Record<Road, Run[]> = { test: [], live: [] }
  const envelopes = () => count(subject.upload)
  const [documents_before, envelopes_before] = [live_documents, envelopes()]
  for (let round = 0; round < ROUNDS; round++) {
    for (const road of ['test', 'live'] as const) runs[road].push(await runLoad(road, subject, load))
  }
  const least = (road: Road, which: keyof Cost) =>
    Math.min(...runs[road].map((one) => one[which] - idle[which] * one.lasted))
  const ms = (road: Road) => `${least(road, 'all').toFixed(1)} ms (${least(road, 'own').toFixed(1)} of our process)`
  const ratio = (which: keyof Cost) => least('live', which) / least('test', which)
  const each = (live_documents - documents_before) / (envelopes() - envelopes_before)
  console.log(`${subject.name} ${name}, ${each.toFixed(1)} documents an envelope`)
  console.log(`  POST to accepted in test mode   ${ms('test')}`)
  console.log(`  POST to accepted in live mode   ${ms('live')}`)
  const [label, because] = [`${subject.name} ${name}, live to test`, `of our process alone ${ratio('own').toFixed(2)}`]
  if (load.at_most !== undefined) asked(label, ratio('all'), { at_most: load.at_most }, { because })
  else console.log(`${label.padEnd(52)} ${ratio('all').toFixed(2).padStart(7)}  (${because})`)
}

// They also load the engine, ask for the token and make the sandbox's keys.
for (const subject of SUBJECTS)
  for (const road of ['test', 'live'] as const) await runLoad(road, subject, WARM_UP, ruts)
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
