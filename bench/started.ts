import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { NODE_FLAGS } from './node-flags.ts'
import { processesUnder } from './process-tree.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PORT = 39_271

/** The service as `npm start` runs it, with everything it starts beside itself. */
export interface Started {
  readonly pid: number
  /** From the command to the first answer. */
  readonly seconds: number
  /** Processor time of all its processes by then; null where nobody tells. */
  readonly cpu_seconds: number | null
  stop(): Promise<void>
}

const answers = () =>
  fetch(`http://127.0.0.1:${PORT}/v1/error_codes`).then(
    (answer) => answer.ok,
    () => false,
  )

export async function startOn(dataDir: string): Promise<Started> {
  // Of another that is there already every figure would be read as this one's, or as nothing.
  if (await answers()) throw new Error(`another service answers at port ${PORT}`)
  const began = performance.now()
  const child: ChildProcess = spawn(process.execPath, [...NODE_FLAGS, 'scripts/start.mjs'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(PORT), LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error('the service did not start')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const seconds = (performance.now() - began) / 1000
  const pid = child.pid ?? 0
  const uses = process.platform === 'linux' ? processesUnder(pid) : null
  const cpu_seconds = uses && uses.reduce((sum, { cpu_ms }) => sum + cpu_ms, 0) / 1000
  const stop = async () => {
    child.kill('SIGINT')
    await ended
  }
  return { pid, seconds, cpu_seconds, stop }
}
