import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from '../scripts/build.mjs'
import { asked } from './asked.ts'
import { type ProcessUse, processesUnder } from './process-tree.ts'
import { startOn } from './started.ts'

// What the service takes when nobody calls it: memory a minute after it started, and processor time of the quieter of the two
// minutes that follow. In the other one V8 may give back what the start took, a quarter of a second that comes once.
const SETTLE_MS = 60_000
const WATCH_MS = 60_000
const MINUTES = 2

const isPostgres = ({ command }: ProcessUse) => /\bpostgres\b/.test(command.split(' ')[0] ?? '')
const isSimulator = ({ command }: ProcessUse) => command.includes('sii-simulator')
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const megabytes = (uses: readonly ProcessUse[], of: 'rss_mb' | 'pss_mb') => sum(uses.map((use) => use[of]))

type Spent = Record<'own' | 'postgres' | 'simulator', number>

async function watchMinute(pid: number): Promise<Spent> {
  const before = processesUnder(pid)
  await sleep(WATCH_MS)
  const after = processesUnder(pid)
  if (!after.some((use) => use.pid === pid)) throw new Error('the service ended while it was watched')
  const spent = (uses: readonly ProcessUse[]) =>
    sum(uses.map((use) => use.cpu_ms - (before.find((one) => one.pid === use.pid)?.cpu_ms ?? 0)))
  return {
    own: spent(after.filter((use) => use.pid === pid)),
    postgres: spent(after.filter(isPostgres)),
    simulator: spent(after.filter(isSimulator)),
  }
}

async function watch(pid: number): Promise<void> {
  await sleep(SETTLE_MS)
  const settled = processesUnder(pid)
  const own = settled.filter((use) => use.pid === pid)
  asked('idle memory of the process', megabytes(own, 'rss_mb'), { below: 140 }, { unit: ' MB', digits: 0 })
  console.log(
    `  PostgreSQL beside it, shared pages counted once    ${megabytes(settled.filter(isPostgres), 'pss_mb').toFixed(0)} MB`,
  )
  console.log(
    `  the simulator beside it                            ${megabytes(settled.filter(isSimulator), 'rss_mb').toFixed(0)} MB`,
  )
  const minutes: Spent[] = []
  for (let minute = 0; minute < MINUTES; minute++) minutes.push(await watchMinute(pid))
  const [least] = minutes.sort((a, b) => a.own + a.postgres - (b.own + b.postgres))
  const share = (ms = Number.NaN) => (100 * ms) / WATCH_MS
  const total = least && least.own + least.postgres
  asked("idle processor time of a core, PostgreSQL's too", share(total), { below: 0.3 }, { unit: ' %' })
  console.log(`  of the process itself                              ${share(least?.own).toFixed(2)} %`)
  console.log(`  of PostgreSQL                                      ${share(least?.postgres).toFixed(2)} %`)
  console.log(`  of the simulator, which is another process         ${share(least?.simulator).toFixed(2)} %`)
}

if (process.platform === 'linux') {
  build()
  const dataDir = mkdtempSync(join(tmpdir(), 'timbre-bench-'))
  // The second start: what a new folder leaves to be done is done.
  await (await startOn(dataDir)).stop()
  const { pid, stop } = await startOn(dataDir)
  await watch(pid)
  await stop()
  rmSync(dataDir, { recursive: true, force: true })
} else console.log('told by /proc alone')
