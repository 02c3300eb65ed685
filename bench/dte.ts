import { createPublicKey, sign, verify } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { readDte } from '../packages/dte/src/envelope/read.ts'
import { buildSobre } from '../packages/dte/src/envelope/sobre.ts'
import { verifySignatures } from '../packages/dte/src/signature/verify.ts'
import { parseXml } from '../packages/dte/src/xml/parse.ts'
import { latin1Bytes, XML_DECLARATION } from '../packages/dte/src/xml/write.ts'
import { asked } from './asked.ts'
import { median, takeTurns } from './cpu-turns.ts'
import { makeSubject } from './dte-subject.ts'
import { undisturbed } from './undisturbed.ts'

/**
 * The engine against the RSA it cannot avoid, each figure the median of ratios of turns that follow each other. One-core
 * figures are processor time, which other work on the machine enters by its caches alone (some hundredths; BENCH_REALTIME=1
 * keeps it out); the two-core figure is wall time and wants an idle machine. `--documents=N` sets how many the memory figure
 * goes through.
 */
const BITS = 2048
const ROUNDS = 20
const CORES_TURN_MS = 200
const documents = Number(/--documents=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 100_000)
// A worker thread does not inherit the TypeScript loader, so it registers it before it imports anything.
const START = "import('tsx/esm/api').then(({ register }) => { register(); return import(process.env.SUBJECT) })"
const say = (text: string) => console.log(`dte ${text}`)

warmUp()
await undisturbed(oneCore)
await undisturbed(envelope)
await reading()
await undisturbed(twoCores)
await memory()

/** A server emits for days: the compiler's first thousand documents are not the figure. Small keys make it short. */
function warmUp(): void {
  for (const tipo_dte of [33, 39] as const) {
    const subject = makeSubject(tipo_dte, 1024)
    for (let index = 1; index <= 1500; index++) subject.emit(index)
  }
}

async function oneCore(): Promise<void> {
  const subject = makeSubject(33, BITS)
  let folio = 0
  const { ratio, cost } = await takeTurns(ROUNDS, { bare: () => subject.bare(), emit: () => subject.emit(++folio) })
  const rate = (1e6 / cost('emit')).toFixed(0)
  asked(
    'DTE to two bare signatures, one core',
    ratio('bare', 'emit'),
    { at_least: 0.93 },
    { digits: 3, because: `${rate}/s` },
  )
}

/** Wall time tells whether the threads hinder each other; processor time tells the same on a machine that is not idle. */
async function twoCores(): Promise<void> {
  const workers = await Promise.all([startWorker(), startWorker()])
  const [wall, cpu]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = await runAll(workers, 'bare')
    const emit = await runAll(workers, 'emit')
    if (round === 0) continue
    wall.push(emit.done / bare.done)
    cpu.push(bare.cpu / emit.cpu)
  }
  await Promise.all(workers.map((worker) => worker.terminate()))
  const because = `processor time ${median(cpu).toFixed(3)}`
  asked('DTE to two bare signatures, two cores', median(wall), { at_least: 0.93 }, { digits: 3, because })
}

async function runAll(workers: readonly Worker[], kind: 'emit' | 'bare') {
  const start = process.cpuUsage()
  const counts = await Promise.all(workers.map((worker) => run(worker, kind, CORES_TURN_MS)))
  const { user, system } = process.cpuUsage(start)
  const done = counts.reduce((sum, count) => sum + count, 0)
  return { done, cpu: (user + system) / done }
}

async function startWorker(): Promise<Worker> {
  const url = new URL('./dte-worker.ts', import.meta.url).href
  const worker = new Worker(START, { eval: true, env: { SUBJECT: url }, workerData: { bits: BITS } })
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  return worker
}

function run(worker: Worker, kind: 'emit' | 'bare', ms: number): Promise<number> {
  return new Promise((resolve) => {
    worker.once('message', resolve)
    worker.postMessage({ kind, ms })
  })
}

async function envelope(): Promise<void> {
  const subject = makeSubject(39, BITS)
  const boletas = Array.from({ length: 500 }, (_, index) => ({ tipo_dte: 39 as const, xml: subject.emit(index + 1) }))
  const sobre = {
    emisor_rut: '76543210-3',
    envia_rut: '12345678-5',
    resolucion: { date: '2026-09-01', number: 0 },
    tmst_firma: '2026-10-05T12:05:00',
    documents: boletas,
  }
  const close = async () => {
    const made = await buildSobre(sobre, subject.signer)
    if (made.ok) latin1Bytes(made.value)
  }
  let folio = 0
  const { ratio } = await takeTurns(ROUNDS, { emit: () => subject.emit(++folio), close })
  asked(
    'an envelope of 500 boletas adds',
    (100 * ratio('close', 'emit')) / boletas.length,
    { at_most: 3 },
    { unit: ' %' },
  )
}

async function reading(): Promise<void> {
  const subject = makeSubject(33, BITS)
  const file = latin1Bytes(XML_DECLARATION + subject.emit(1))
  const read = () => {
    const parsed = parseXml(file)
    if (!parsed.ok) throw new Error(parsed.refusal.message)
    const checked = verifySignatures(parsed.value)
    const [signature] = checked.ok ? checked.value : []
    if (signature === undefined || signature.refusal !== null) throw new Error('it does not verify')
    if (!readDte(signature.container).ok) throw new Error('it is not read')
  }
  const key = createPublicKey(subject.signer.key)
  const data = Buffer.alloc(600, 'x')
  const signature = sign('RSA-SHA1', data, subject.signer.key)
  const rsa = () => verify('RSA-SHA1', data, key, signature)
  const { cost } = await takeTurns(ROUNDS, { read, rsa })
  const without = cost('read') - cost('rsa')
  say(
    `read and verified, one core: ${(1e6 / without).toFixed(0)}/s without the RSA verify, ${(1e6 / cost('read')).toFixed(0)}/s with it`,
  )
}

/** Small keys: what is asked is whether memory grows, not how long RSA takes. */
async function memory(): Promise<void> {
  const subject = makeSubject(33, 1024)
  const used: number[] = []
  for (let index = 1; index <= documents; index++) {
    const parsed = parseXml(latin1Bytes(XML_DECLARATION + subject.emit(index)))
    if (!parsed.ok || !verifySignatures(parsed.value).ok) throw new Error('it does not verify')
    if (index % Math.ceil(documents / 5) === 0 || index === documents) used.push(process.memoryUsage().rss / 1e6)
  }
  const growth = (used.at(-1) ?? 0) / (used[0] ?? 1)
  const marks = used.map((megabytes) => megabytes.toFixed(0)).join(', ')
  say(`memory over ${documents} documents emitted and verified: ${growth.toFixed(2)} of the first fifth (MB: ${marks})`)
}
