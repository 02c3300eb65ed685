import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import {
  findOrphan,
  isAsWanted,
  isServedElsewhere,
  launch,
  type Postmaster,
  signalPostmaster,
  stopPostmaster,
} from './postmaster.ts'

export interface Supervisor {
  adopted: boolean
  stop(): Promise<void>
}

export interface Listeners {
  onLog(line: string): void
  onExit(reason: string): void
}

const FIRST_DELAY_MS = 10
const LONGEST_DELAY_MS = 5_000
const STEADY_AFTER_MS = 1_000

/** Takes over or starts the one server of a cluster, and starts it again whenever it dies before we stop it. */
export async function supervise(cluster: Cluster, listeners: Listeners): Promise<Supervisor> {
  const orphan = await takeOver(cluster, listeners)
  let current = orphan ?? (await launch(cluster))
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort').then(() => 'stopped')

  const takeAlong = () => signalPostmaster(cluster, current, 'SIGINT') // an exit without stop() must leave no server
  process.once('exit', takeAlong)

  const watching = (async () => {
    let delayMs = FIRST_DELAY_MS
    while (!stopping.signal.aborted) {
      const since = performance.now()
      const reason = await Promise.race([current.exited, stopped])
      if (stopping.signal.aborted) break
      listeners.onExit(reason)
      delayMs = performance.now() - since > STEADY_AFTER_MS ? FIRST_DELAY_MS : longer(delayMs)
      current = (await relaunch(cluster, listeners, stopping.signal, delayMs)) ?? current
    }
    await stopPostmaster(cluster, current)
    process.removeListener('exit', takeAlong)
  })()

  return {
    adopted: orphan !== null,
    stop() {
      stopping.abort()
      return watching
    },
  }
}

async function takeOver(cluster: Cluster, { onLog }: Listeners): Promise<Postmaster | null> {
  const orphan = await findOrphan(cluster)
  if (!orphan) {
    if (await isServedElsewhere(cluster)) throw new Error(`Another machine or container serves ${cluster.folder}.`)
    return null
  }
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
  firstDelayMs: number,
): Promise<Postmaster | null> {
  for (let delayMs = firstDelayMs; ; delayMs = longer(delayMs)) {
    await sleep(delayMs, undefined, { signal: stopping, ref: false }).catch(() => undefined)
    if (stopping.aborted) return null
    try {
      const postmaster = await launch(cluster, stopping)
      onLog(`PostgreSQL runs again (process ${postmaster.pid})`)
      return postmaster
    } catch (error) {
      onLog((error as Error).message)
    }
  }
}

function longer(delayMs: number): number {
  return Math.min(delayMs * 2, LONGEST_DELAY_MS)
}
