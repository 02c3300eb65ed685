import { execFile, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, folderArgument, serverEnvironment } from './cluster.ts'
import { SOCKET } from './listener.ts'
import { logSince, logSize } from './log-file.ts'
import { acceptsConnections } from './probe.ts'
import { birthOf, livesIn, processesIn, signal } from './process-table.ts'

/** One running PostgreSQL server, whether it is our child or one we found. */
export interface Postmaster {
  pid: number
  /** Settles with the reason once the server is gone. */
  exited: Promise<string>
}

const POLL_MS = 5

/**
 * Starts a server and waits until it lets clients in, or until the caller no longer wants it. Replaying the log of a
 * crash may take long, so only an exit of the server is a failure.
 */
export async function launch(
  cluster: Cluster,
  { unwanted, onWaiting }: { unwanted?: AbortSignal; onWaiting?(): void },
): Promise<Postmaster> {
  await clearRemains(cluster)
  const written = await logSize(cluster.logFile)
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
  const pid = child.pid ?? 0
  onWaiting?.()
  while (gone === null && !unwanted?.aborted && !(await isServing(cluster, pid))) await sleep(POLL_MS)
  if (gone !== null) throw new Error(`PostgreSQL did not start (${gone}):\n${await logSince(cluster.logFile, written)}`)
  return { pid, exited }
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

/** True when somebody serves this cluster whom we cannot see: in another container on the same folder, for example. */
export async function isServedElsewhere(cluster: Cluster): Promise<boolean> {
  return acceptsConnections(cluster.listener.address, 1_000)
}

/** True when a found server runs the very program and settings we would start, and answers. */
export async function runsAsConfigured(cluster: Cluster, { pid }: Postmaster): Promise<boolean> {
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
  const timeout = sleep(waitMs, false, { signal: waiting.signal }).catch(() => false) // also keeps the process up
  const ended = await Promise.race([exited.then(() => true), timeout])
  waiting.abort()
  return ended
}

/** Windows has no signals; `pg_ctl` knows how to ask there. */
export function signalPostmaster(cluster: Cluster, { pid }: Postmaster, name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    const mode = name === 'SIGINT' ? 'fast' : 'immediate'
    execFile(cluster.binaries.pgCtl, ['stop', '-D', cluster.folder, '-m', mode, '-W'], () => undefined)
  } else if (livesIn(pid, cluster.folder)) {
    signal(pid, name)
  }
}

/**
 * Without a postmaster its leftover sessions end by themselves, unless one is deep in a computation: it would keep the
 * memory that a new server must not share. Then the two lock files: PostgreSQL believes them as long as their pid is
 * taken, be it by another program or by a dead process that nobody reaped.
 */
async function clearRemains(cluster: Cluster): Promise<void> {
  // Without a postmaster none is added to them: the table of all processes is read once, and once more to be sure.
  for (let left = processesIn(cluster.folder); left.length > 0; left = processesIn(cluster.folder)) {
    for (let waited = 0; left.length > 0; waited += 20) {
      if (waited >= 1_000) for (const pid of left) signal(pid, 'SIGKILL')
      await sleep(20)
      left = left.filter((pid) => livesIn(pid, cluster.folder))
    }
  }
  const { pid } = await readPidFile(cluster)
  if (livesIn(pid, cluster.folder)) return
  for (const name of ['postmaster.pid', `${SOCKET}.lock`]) await rm(join(cluster.folder, name), { force: true })
}

async function isServing(cluster: Cluster, pid: number): Promise<boolean> {
  const seen = await readPidFile(cluster)
  return seen.pid === pid && seen.status === 'ready' && (await acceptsConnections(cluster.listener.address, 5_000))
}

async function readPidFile({ folder }: Cluster): Promise<{ pid: number; status: string }> {
  const lines = await readFile(join(folder, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  )
  return { pid: Number(lines[0] ?? 0), status: lines[7]?.trim() ?? '' }
}

function serverArguments(cluster: Cluster): string[] {
  const settings = [...cluster.listener.settings, ...cluster.settings]
  return ['-D', folderArgument(cluster), ...settings.flatMap((setting) => ['-c', setting])]
}
