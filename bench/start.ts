import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../scripts/build.mjs'
import { startOn } from './started.ts'

// From the command to the first answer, on a new data folder and on an existing one. Wall time: it wants an idle machine.
const ROUNDS = 5
const dataDir = mkdtempSync(join(tmpdir(), 'timbre-bench-'))
build()

const first = await startOn(dataDir)
await first.stop()
const later: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const { seconds, stop } = await startOn(dataDir)
  await stop()
  later.push(seconds)
}
console.log(`first start, new data folder                         ${first.seconds.toFixed(2)} s`)
console.log(`start to first answer, existing folder (under 1.5 s) ${Math.min(...later).toFixed(2)} s`)
rmSync(dataDir, { recursive: true, force: true })
