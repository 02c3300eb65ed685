import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from '../scripts/build.mjs'
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
const megabytes = (uses: readonly ProcessUse[], of: 'rss_mb' | 'pss_mb') =>
  `${sum(uses.map((use) => use[of])).toFixed(0)} MB`

type Spent = Record<'own' | 'postgres' | 'simulator', number>

async function watchMinute(pid: number): Promise<Spent> {
  const before = processesUnder(pid)
  await sleep(WATCH_MS)
  const after = processesUnder(pid)
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
  console.log(`idle memory of the process (under 140 MB)            ${megabytes(own, 'rss_mb')}`)
  console.log(`  PostgreSQL beside it, shared pages counted once    ${megabytes(settled.filter(isPostgres), 'pss_mb')}`)
  console.log(
    `  the simulator beside it                            ${megabytes(settled.filter(isSimulator), 'rss_mb')}`,
  )
  const minutes: Spent[] = []
  for (let minute = 0; minute < MINUTES; minute++) minutes.push(await watchMinute(pid))
  const [least] = minutes.sort((a, b) => a.own + a.postgres - (b.own + b.postgres))
  const share = (ms = Number.NaN) => `${((100 * ms) / WATCH_MS).toFixed(2)} % of a core`
  const total = least && least.own + least.postgres
  console.log(`idle processor time with PostgreSQL's (under 0.3 %)  ${share(total)}`)
  console.log(`  of the process itself                              ${share(least?.own)}`)
  console.log(`  of PostgreSQL                                      ${share(least?.postgres)}`)
  console.log(`  of the simulator, which is another process         ${share(least?.simulator)}`)
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
