import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { findOrphan, isAsWanted, launch, type Postmaster, signalPostmaster, stopPostmaster } from './postmaster.ts'

export interface Supervisor {
  adopted: boolean
  stop(): Promise<void>
}

export interface Listeners {
  onLog(line: string): void
  onExit(reason: string): void
}

const FIRST_DELAY_MS = 50
const LONGEST_DELAY_MS = 5_000
const STEADY_AFTER_MS = 10_000

/** Takes over or starts the one server of a cluster, and starts it again whenever it dies before we stop it. */
export async function supervise(cluster: Cluster, listeners: Listeners): Promise<Supervisor> {
  const orphan = await takeOver(cluster, listeners)
  let current = orphan ?? (await launch(cluster))
  const stopping = new AbortController()

  const takeAlong = () => signalPostmaster(cluster, current, 'SIGINT') // an exit without stop() must leave no server
  process.once('exit', takeAlong)

  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const since = performance.now()
      const reason = await current.exited
      if (stopping.signal.aborted) return
      listeners.onExit(reason)
      const steady = performance.now() - since > STEADY_AFTER_MS
      current = (await relaunch(cluster, listeners, stopping.signal, steady)) ?? current
    }
  })()

  return {
    adopted: orphan !== null,
    async stop() {
      stopping.abort()
      await stopPostmaster(cluster, current)
      await watching
      await stopPostmaster(cluster, current) // one that was coming up again while we stopped
      process.removeListener('exit', takeAlong)
    },
  }
}

async function takeOver(cluster: Cluster, { onLog }: Listeners): Promise<Postmaster | null> {
  const orphan = await findOrphan(cluster)
  if (!orphan) return null
  if (await isAsWanted(cluster, orphan)) {
    onLog(`PostgreSQL was still running from an earlier start (process ${orphan.pid}); taking it over`)
    return orphan
  }
  onLog(`PostgreSQL was still running from an earlier start (process ${orphan.pid}); stopping it first`)
  await stopPostmaster(cluster, orphan)
  return null
}

async function relaunch(
  cluster: Cluster,
  { onLog }: Listeners,
  stopping: AbortSignal,
  steady: boolean,
): Promise<Postmaster | null> {
  let delayMs = steady ? 0 : FIRST_DELAY_MS
  while (!stopping.aborted) {
    await sleep(delayMs, undefined, { signal: stopping }).catch(() => undefined)
    if (stopping.aborted) break
    try {
      const postmaster = await launch(cluster)
      onLog(`PostgreSQL runs again (process ${postmaster.pid})`)
      return postmaster
    } catch (error) {
      onLog((error as Error).message)
      delayMs = Math.min(Math.max(delayMs * 2, FIRST_DELAY_MS), LONGEST_DELAY_MS)
    }
  }
  return null
}
