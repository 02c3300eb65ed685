import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../scripts/build.mjs'
import { asked } from './asked.ts'
import { type Started, startOn } from './started.ts'
import { undisturbed } from './undisturbed.ts'

// From the command to the first answer, on a new data folder and on an existing one. Time on the wall: it wants an idle machine,
// or BENCH_REALTIME=1.
const ROUNDS = 5
const dataDir = mkdtempSync(join(tmpdir(), 'timbre-bench-'))
build()

const first = await startOn(dataDir)
await first.stop()
const later: Started[] = []
for (let round = 0; round < ROUNDS; round++) {
  const started = await undisturbed(() => startOn(dataDir))
  await started.stop()
  later.push(started)
}
const least = (of: 'seconds' | 'cpu_seconds') => Math.min(...later.map((started) => started[of] ?? Number.NaN))
console.log(`first start, new data folder                         ${first.seconds.toFixed(2)} s`)
asked('start to first answer, existing folder', least('seconds'), { below: 1.5 }, { unit: ' s' })
console.log(`  processor time of all its processes by then        ${least('cpu_seconds').toFixed(2)} s`)
rmSync(dataDir, { recursive: true, force: true })
