import { execFile, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, folderArgument, serverEnvironment } from './cluster.ts'
import { knock } from './knock.ts'
import { lastLines } from './log-file.ts'
import { birthOf, livesIn, processesIn } from './process-table.ts'

/** One running PostgreSQL server, whether it is our child or one we found. */
export interface Postmaster {
  pid: number
  /** Settles with the reason once the server is gone. */
  exited: Promise<string>
}

const STEP_MS = 5

/** Starts a server and waits until it lets clients in. Replaying the log of a crash may take long, so only an exit fails. */
export async function launch(cluster: Cluster): Promise<Postmaster> {
  await clearRemains(cluster)
  const log = openSync(cluster.logFile, 'a', 0o600)
  const child = spawn(cluster.binaries.postgres, serverArguments(cluster), {
    cwd: cluster.folder,
    ...cluster.identity,
    ...serverEnvironment(),
    detached: true, // Ctrl-C is for us: we finish our requests first and stop the server after
    stdio: ['ignore', log, log],
    windowsHide: true,
  })
  closeSync(log)
  let gone: string | null = null
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `exit code ${code}`))
  }).then((reason) => {
    gone = reason
    return reason
  })
  child.unref()
  while (gone === null && !(await isServing(cluster, child.pid ?? 0))) await sleep(STEP_MS)
  if (gone !== null) throw new Error(`PostgreSQL did not start (${gone}):\n${await lastLines(cluster.logFile, 8)}`)
  return { pid: child.pid ?? 0, exited }
}

/** The server that an earlier process of ours left behind, if it still runs. */
export async function findOrphan(cluster: Cluster): Promise<Postmaster | null> {
  const { pid } = await readPidFile(cluster)
  if (!livesIn(pid, cluster.folder)) return null
  const birth = birthOf(pid)
  const watch = async () => {
    while (birthOf(pid) === birth) await sleep(200, undefined, { ref: false })
    return 'gone'
  }
  return { pid, exited: watch() }
}

/** True when a found server runs the very program and settings we would start, and answers. */
export async function isAsWanted(cluster: Cluster, { pid }: Postmaster): Promise<boolean> {
  const opts = await readFile(join(cluster.folder, 'postmaster.opts'), 'utf8').catch(() => '')
  const program = await realpath(cluster.binaries.postgres)
  const wanted = [program, ...serverArguments(cluster).map((arg) => `"${arg}"`)].join(' ')
  return opts.trim() === wanted && (await isServing(cluster, pid))
}

/** Fast shutdown: sessions are cut, everything acknowledged is on disk. Firmer means only when that does not end it. */
export async function stopPostmaster(cluster: Cluster, postmaster: Postmaster): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    signalPostmaster(cluster, postmaster, signal)
    if (await endsWithin(postmaster, waitMs)) break
  }
  await clearRemains(cluster)
}

async function endsWithin({ exited }: Postmaster, waitMs: number): Promise<boolean> {
  const waiting = new AbortController()
  const patience = sleep(waitMs, false, { signal: waiting.signal }).catch(() => false) // also keeps the process up
  const ended = await Promise.race([exited.then(() => true), patience])
  waiting.abort()
  return ended
}

/** Windows has no signals; `pg_ctl` knows how to ask there. */
export function signalPostmaster(
  cluster: Cluster,
  { pid }: Postmaster,
  signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL',
): void {
  if (process.platform === 'win32') {
    const mode = signal === 'SIGINT' ? 'fast' : 'immediate'
    execFile(cluster.binaries.pgCtl, ['stop', '-D', cluster.folder, '-m', mode, '-W'], () => undefined)
  } else if (livesIn(pid, cluster.folder)) {
    process.kill(pid, signal)
  }
}

/**
 * Without a postmaster its leftover sessions end by themselves, unless one is deep in a computation: it would keep the
 * memory that a new server must not share. Then the pid file: PostgreSQL would believe it if the pid, now another
 * program's, is merely alive.
 */
async function clearRemains(cluster: Cluster): Promise<void> {
  for (let waited = 0; processesIn(cluster.folder).length > 0; waited += 20) {
    if (waited >= 2_000) for (const pid of processesIn(cluster.folder)) process.kill(pid, 'SIGKILL')
    await sleep(20)
  }
  const { pid } = await readPidFile(cluster)
  if (pid > 0 && !livesIn(pid, cluster.folder)) await rm(join(cluster.folder, 'postmaster.pid'), { force: true })
}

async function isServing(cluster: Cluster, pid: number): Promise<boolean> {
  const seen = await readPidFile(cluster)
  return seen.pid === pid && seen.status === 'ready' && (await knock(cluster.door.address, 5_000))
}

async function readPidFile({ folder }: Cluster): Promise<{ pid: number; status: string }> {
  const lines = await readFile(join(folder, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  )
  return { pid: Number(lines[0] ?? 0), status: lines[7]?.trim() ?? '' }
}

function serverArguments(cluster: Cluster): string[] {
  const settings = [...cluster.door.settings, ...cluster.settings]
  return ['-D', folderArgument(cluster), ...settings.flatMap((setting) => ['-c', setting])]
}
