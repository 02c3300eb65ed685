import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { livesIn, processesIn, signal } from '../../src/adapters/postgres/process-table.ts'
import { postmasterPid } from '../support/postgres-folder.ts'
import { ROOT } from '../support/root.ts'

const READY_MS = 180_000
const SAID_CHARS = 100_000

/** What `npm start` runs, as a process of its own. */
export interface ServerProcess {
  /** Resolves when it says that it can be stopped. Fails when it ends instead. */
  ready(): Promise<void>
  /** kill -9. Fails when it had ended by itself. */
  kill(): Promise<void>
  /** The same for whoever tidies up: it may have ended long ago. */
  end(): Promise<void>
  /** What it wrote; the end of it, when that is very much. */
  said(): string
}

/** Starts it with these settings and no other: nothing of the machine's own configuration gets in. */
export function startServer(settings: Record<string, string>): ServerProcess {
  const { PATH = '', HOME = '' } = process.env
  // As under npm: if this process is killed, the server sees that its parent is gone and stops.
  const env = { PATH, HOME, LOG_LEVEL: 'warn', npm_lifecycle_event: 'start', ...settings }
  const child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let said = ''
  const told = new Promise<'told'>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-SAID_CHARS)
        if (said.includes('Ctrl-C stops')) resolve('told')
      })
    }
  })
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await ended
  }
  return {
    end,
    async ready() {
      const late = sleep(READY_MS, 'late', { ref: false })
      const first = await Promise.race([told, ended, late])
      if (first !== 'told') throw new Error(`the server did not start (${first}). It said:\n${said}`)
    },
    async kill() {
      if (child.exitCode !== null) throw new Error(`the server ended by itself (${child.exitCode}). It said:\n${said}`)
      await end()
    },
    said: () => said,
  }
}

export interface Restartable extends ServerProcess {
  start(): void
}

/** A process that is always the latest to be started with these settings; `said` is what all of them wrote. */
export function restartable(
  settings: Record<string, string>,
  finish: (tidy: () => Promise<void>) => void,
): Restartable {
  let present = startServer(settings)
  let earlier = ''
  finish(() => present.end())
  return {
    ready: () => present.ready(),
    kill: () => present.kill(),
    end: () => present.end(),
    said: () => earlier + present.said(),
    start() {
      earlier += present.said()
      present = startServer(settings)
    },
  }
}

/** Its processes; where the system does not list them all, the one that takes the others with it. */
async function postgresIn(dataDir: string): Promise<number[]> {
  const folder = join(dataDir, 'postgres')
  const first = await postmasterPid(dataDir).catch(() => 0)
  return [...processesIn(folder), ...(livesIn(first, folder) ? [first] : [])]
}

/** kill -9 for the database that a killed server left behind in its folder. */
export async function killPostgres(dataDir: string): Promise<void> {
  for (let left = await postgresIn(dataDir); left.length > 0; left = await postgresIn(dataDir)) {
    for (const pid of left) signal(pid, 'SIGKILL')
    await sleep(10)
  }
}
