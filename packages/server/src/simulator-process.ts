import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** How a program that plays the SII is started on these ports (0 takes any free one). */
export type SpawnSimulator = (ports: SimulatorPorts) => ChildProcess

export interface SimulatorPorts {
  readonly http: string
  readonly https: string
}

/** The simulator ended without being asked to, and is started again after `wait_ms`. */
export interface SimulatorExit {
  readonly pid: number | undefined
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly wait_ms: number
}

export interface SimulatorSupervision {
  readonly spawn: SpawnSimulator
  readonly onExit: (exit: SimulatorExit) => void
  /** The wait before the first restart, which doubles with each that follows soon. */
  readonly first_wait_ms?: number
}

export interface SupervisedSimulator {
  readonly http: string
  readonly https: string
  pid(): number | undefined
  close(): Promise<void>
}

const PATIENCE_MS = 30_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** One that has run for so long did not end because it cannot start. */
const STEADY_MS = 60_000

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

function follow(child: ChildProcess): Running {
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: null, signal: null }))
  })
  // It closes with the child; what would be written to one that ended is nobody's.
  child.stdin?.on('error', () => undefined)
  return { child, ended }
}

/** Its addresses, which it says in its first line; null where it ended or said nothing in time. */
async function addressesOf({ child, ended }: Running): Promise<{ http: string; https: string } | null> {
  if (!child.stdout) return null
  const lines = createInterface({ input: child.stdout })
  let timer: NodeJS.Timeout | undefined
  const line = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    ended.then(() => null),
    new Promise<null>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, null)
    }),
  ])
  clearTimeout(timer)
  return line === null ? null : (JSON.parse(line) as { http: string; https: string })
}

/**
 * Keeps a simulator running until `close`: one that dies is started again over the same folder and on the same ports, so
 * that its clients see an SII that was away for a while. Null where it does not start at all.
 */
export async function superviseSimulator(options: SimulatorSupervision): Promise<SupervisedSimulator | null> {
  const { onExit, first_wait_ms = FIRST_WAIT_MS } = options
  let running = follow(options.spawn({ http: '0', https: '0' }))
  const addresses = await addressesOf(running)
  if (addresses === null) {
    running.child.kill('SIGTERM')
    await running.ended
    return null
  }
  const ports = { http: new URL(addresses.http).port, https: new URL(addresses.https).port }

  let closing = false
  let timer: NodeJS.Timeout | undefined
  let wait_ms = first_wait_ms

  function watch(started_at: number): void {
    void running.ended.then(({ code, signal }) => {
      if (closing) return
      if (performance.now() - started_at > STEADY_MS) wait_ms = first_wait_ms
      onExit({ pid: running.child.pid, code, signal, wait_ms })
      timer = setTimeout(restart, wait_ms)
      wait_ms = Math.min(wait_ms * 2, LONGEST_WAIT_MS)
    })
  }
  function restart(): void {
    running = follow(options.spawn(ports))
    // What it says is read, so that it can go on writing.
    running.child.stdout?.resume()
    watch(performance.now())
  }
  watch(performance.now())

  return {
    ...addresses,
    pid: () => running.child.pid,
    async close() {
      closing = true
      clearTimeout(timer)
      running.child.kill('SIGTERM')
      await running.ended
    },
  }
}

/** Ends with the process that started it, also when that is killed: its standard input closes then. */
export function spawnSimulator(program: string, options: readonly string[]): SpawnSimulator {
  return ({ http, https }) =>
    spawn(process.execPath, [program, '--port', http, '--https-port', https, ...options, '--json', '--with-parent'], {
      // Nothing of our settings: it needs none of our secrets.
      env: {},
      stdio: ['pipe', 'pipe', 'inherit'],
    })
}
