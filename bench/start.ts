import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../scripts/build.mjs'

// From the command to the first answer, on a new data folder and on an existing one, and what the process holds idle.
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PORT = 39_271
const IDLE_MS = 5_000
const dataDir = mkdtempSync(join(tmpdir(), 'timbre-bench-'))
build()

async function firstAnswer(): Promise<{ seconds: number; child: ChildProcess }> {
  const started = performance.now()
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(PORT), LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  })
  const asks = () =>
    fetch(`http://127.0.0.1:${PORT}/v1/error_codes`).then(
      (answer) => answer.ok,
      () => false,
    )
  while (!(await asks())) await new Promise((resolve) => setTimeout(resolve, 5))
  return { seconds: (performance.now() - started) / 1000, child }
}

function megabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  await ended
}

const first = await firstAnswer()
await stop(first.child)
const later = await firstAnswer()
await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
console.log(`first start, new data folder                       ${first.seconds.toFixed(2)} s`)
console.log(`start to first answer, existing folder (under 2 s) ${later.seconds.toFixed(2)} s`)
if (process.platform === 'linux') {
  console.log(`idle memory of the process (under 150 MB)          ${megabytes(later.child.pid ?? 0).toFixed(0)} MB`)
}
await stop(later.child)
rmSync(dataDir, { recursive: true, force: true })
