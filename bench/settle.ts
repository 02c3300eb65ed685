import { execFile } from 'node:child_process'
import { type KeyObject, sign } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { asked } from './asked.ts'
import { openEmpresas, RUTS } from './empresas.ts'
import { FACTURA } from './factura.ts'
import { built, openService, type Service } from './service.ts'
import { CERTIFICATE_BITS, liveSizedKeys, OTHER_KIND, SIGNED, STAMPED } from './signatures.ts'
import { acceptedWithin } from './trickle.ts'
import { median } from './turns.ts'
import { undisturbed } from './undisturbed.ts'

// Documents settled end to end by one process that answers and works, while as many are posted as it answers. Against the bare RSA
// signatures that two cores make with the same keys, which are as long as those of live mode, in turns. Then whether it keeps up with what
// is asked of it, and what it still settles while it is offered more than it can. `--long` holds the former for a minute.
const LONG = process.argv.includes('--long') || process.env.BENCH_LONG === '1'
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
/** What must be settled of the bare signatures. */
const ASKED = 0.3
const WARM_SECONDS = 5
/** Documents before any is counted, as many as in `cost.ts`: V8 compiles for the first thousands. A slow machine gets as far as it gets. */
const WARM_UP = 9_000
const WARM_UP_SECONDS = 90
const COUNTED_SECONDS = 10
const ROUNDS = 5
const STEADY_SECONDS = LONG ? 60 : 15
const CONNECTIONS = 32
/** Documents that come one at a time, each after the one before was accepted. */
const ALONE = 100
const run = promisify(execFile)
const LOAD = fileURLToPath(new URL('load-post.ts', import.meta.url))

interface Load {
  readonly per_second: number
  readonly answers: number
}

interface Offered {
  readonly per_second?: number
  readonly requests?: number
}

async function load({ port, secret }: Service, seconds: number, offered: Offered = {}): Promise<Load> {
  const headers = { authorization: `Bearer ${secret}` }
  const order = {
    port,
    seconds,
    connections: CONNECTIONS,
    path: '/v1/documents',
    headers,
    empresas: RUTS,
    body: FACTURA,
    ...offered,
  }
  const { stdout } = await run(process.execPath, ['--import', 'tsx', LOAD, JSON.stringify(order)])
  const { refused, first_refusal, ...rest } = JSON.parse(stdout)
  if (refused > 0) throw new Error(`${refused} requests were refused: ${first_refusal}`)
  return rest
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

async function untilIdle(service: Service): Promise<void> {
  for (;;) {
    const { posted, accepted } = await countAll(service)
    if (posted === accepted) return
    await pause(0.25)
  }
}

/** The stamp and the signature of a document and nothing else, on the thread pool, as many at a time as emission has. */
async function bareSignatures(signer: KeyObject): Promise<number> {
  const { stamp } = liveSizedKeys()
  const one = (bytes: Buffer, key: KeyObject) =>
    new Promise<void>((resolve, reject) => {
      sign('RSA-SHA1', bytes, key, (failure) => (failure ? reject(failure) : resolve()))
    })
  const started = performance.now()
  let made = 0
  const hand = async () => {
    while (performance.now() - started < SECONDS * 1000) {
      await one(STAMPED, stamp)
      await one(SIGNED, signer)
      made++
    }
  }
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, hand))
  return (made / (performance.now() - started)) * 1000
}

/** A service with every empresa that is issued for. */
async function open(runs_jobs: boolean): Promise<Service> {
  const opened = await openService({ runs_jobs, signer_bits: CERTIFICATE_BITS })
  await openEmpresas(opened)
  return opened
}

async function accepts(): Promise<number> {
  const idle = await open(false)
  await load(idle, WARM_UP_SECONDS, { requests: WARM_UP })
  const { per_second } = await load(idle, SECONDS)
  await idle.close()
  return per_second
}

const accepted = await accepts()
const service = await open(true)
// The first documents load the engine and make the keys of the sandbox.
await load(service, WARM_UP_SECONDS, { requests: WARM_UP })
await untilIdle(service)
// What autovacuum does within a minute of a first start: without it the planner guesses.
await service.db.sql`analyze`
const scope = {
  account_id: service.account_id,
  mode: 'test',
  empresa_id: service.empresa_id,
  rut: service.rut,
} as const
const { key } = await built
  .sandboxSii({ sql: service.db.sql, steady: service.db.steady.sql, vault: service.vault })
  .signerFor(scope)
const signed_before = await bareSignatures(key)
const least = Math.min(accepted, signed_before)

interface Count {
  readonly posted: number
  readonly accepted: number
}

async function countAll({ db }: Service): Promise<Count> {
  const [row] = await db.sql<Count>`
    select count(*)::int as posted, count(*) filter (where status = 'accepted')::int as accepted from document`
  return row ?? { posted: 0, accepted: 0 }
}

/**
 * What is settled a second while a load goes on. It is counted between two moments of that load: how long a process takes to start that
 * sends it, and the second that the last documents of it wait for their answer, are nothing of what a service carries for hours. What had
 * been posted before and was settled meanwhile counts only as far as as many were posted meanwhile.
 */
async function settles(offered: Offered = {}): Promise<number> {
  const loading = load(service, WARM_SECONDS + COUNTED_SECONDS, offered)
  await pause(WARM_SECONDS)
  const [before, started] = [await countAll(service), performance.now()]
  await pause(COUNTED_SECONDS)
  const after = await countAll(service)
  const seconds = (performance.now() - started) / 1000
  await loading
  await untilIdle(service)
  return Math.min(after.posted - before.posted, after.accepted - before.accepted) / seconds
}

/** How many documents are more than three seconds old and not settled after some time of as many as must be settled. */
async function backlog(): Promise<number> {
  await load(service, STEADY_SECONDS, { per_second: ASKED * signed_before })
  const [row] = await service.db.sql<{ documents: number }>`
    select count(*)::int as documents from document
    where status <> 'accepted' and created_at < now() - interval '3 seconds'`
  return row?.documents ?? 0
}

interface Round {
  readonly settled: number
  readonly signatures: number
}

/** What is settled, between bare signatures before and after it: another second the machine may have another speed. */
async function takeRounds(): Promise<Round[]> {
  const rounds: Round[] = []
  let before = signed_before
  for (let round = 0; round < ROUNDS; round++) {
    const of_ours = await settles()
    const after = await bareSignatures(key)
    rounds.push({ settled: of_ours, signatures: (before + after) / 2 })
    before = after
  }
  return rounds
}

const rounds = await takeRounds()
const settled = median(rounds.map((round) => round.settled))
const signatures = median(rounds.map((round) => round.signatures))
const ratio = median(rounds.map((round) => round.settled / round.signatures))
const left = await backlog()
await untilIdle(service)
// As many as could be signed, whether they are answered or not: they are accepted first, and wait.
const beyond = await settles({ per_second: least })
const wait_ms = await undisturbed(() => acceptedWithin(service, ALONE))
console.log(`POST /v1/documents accepted, no worker       ${accepted.toFixed(0)} /s`)
console.log(`bare stamps and signatures, same keys        ${signatures.toFixed(0)} /s`)
console.log(`settled end to end, one process              ${settled.toFixed(0)} /s`)
asked('settled to bare signatures', ratio, { at_least: ASKED })
console.log(`  round by round: ${rounds.map((round) => (round.settled / round.signatures).toFixed(2)).join(' ')}`)
// Both cores are full at saturation, so a document has what they do in its time; there its signatures would have another share of it.
const [document_ms, pair_ms] = [1000 / (ratio * signatures), 1000 / signatures]
const pair_there = OTHER_KIND.rsa * pair_ms
const there = pair_there / (OTHER_KIND.rest * (document_ms - pair_ms) + pair_there)
console.log(`  ${OTHER_KIND.described}, by arithmetic  ${there.toFixed(2)}`)
asked(`backlog after ${STEADY_SECONDS} s of ${ASKED} of them`, left, { at_most: 0 }, { digits: 0 })
console.log(`settled while ${least.toFixed(0)} a second are offered       ${beyond.toFixed(0)} /s`)
asked('accepted, one at a time, p99', wait_ms / 1000, { at_most: 1.2 }, { unit: ' s' })
await service.close()
