import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import {
  findOrphan,
  isServedElsewhere,
  launch,
  type Postmaster,
  runsAsConfigured,
  signalPostmaster,
  stopPostmaster,
} from './postmaster.ts'

interface Supervisor {
  adopted: boolean
  stop(): Promise<void>
}

interface SupervisorHooks {
  /** Told when the first server was launched and does not answer yet. */
  onWaiting(): void
  onLog(line: string): void
  onExit(reason: string): void
}

const FIRST_DELAY_MS = 10
const LONGEST_DELAY_MS = 5_000
const STEADY_AFTER_MS = 1_000

/** Takes over or starts the one server of a cluster, and starts it again whenever it dies before we stop it. */
export async function supervise(cluster: Cluster, hooks: SupervisorHooks): Promise<Supervisor> {
  const orphan = await adoptOrphan(cluster, hooks)
  let current = orphan ?? (await launch(cluster, { onWaiting: hooks.onWaiting }))
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort').then(() => 'stopped')

  const stopOnExit = () => signalPostmaster(cluster, current, 'SIGINT') // an exit without stop() must leave no server
  process.once('exit', stopOnExit)

  const watching = (async () => {
    let delayMs = FIRST_DELAY_MS
    while (!stopping.signal.aborted) {
      const since = performance.now()
      const reason = await Promise.race([current.exited, stopped])
      if (stopping.signal.aborted) break
      hooks.onExit(reason)
      delayMs = performance.now() - since > STEADY_AFTER_MS ? FIRST_DELAY_MS : nextDelay(delayMs)
      current = (await relaunch(cluster, hooks, stopping.signal, delayMs)) ?? current
    }
    await stopPostmaster(cluster, current)
    process.removeListener('exit', stopOnExit)
  })()

  return {
    adopted: orphan !== null,
    stop() {
      stopping.abort()
      return watching
    },
  }
}

async function adoptOrphan(cluster: Cluster, { onLog }: SupervisorHooks): Promise<Postmaster | null> {
  const orphan = await findOrphan(cluster)
  if (!orphan) {
    if (await isServedElsewhere(cluster)) throw new Error(`Another machine or container serves ${cluster.folder}.`)
    return null
  }
  if (await runsAsConfigured(cluster, orphan)) {
    onLog(`PostgreSQL was still running from an earlier start (process ${orphan.pid}); taking it over`)
    return orphan
  }
  onLog(`PostgreSQL was still running from an earlier start (process ${orphan.pid}); stopping it first`)
  await stopPostmaster(cluster, orphan)
  return null
}

async function relaunch(
  cluster: Cluster,
  { onLog }: SupervisorHooks,
  stopping: AbortSignal,
  firstDelayMs: number,
): Promise<Postmaster | null> {
  for (let delayMs = firstDelayMs; ; delayMs = nextDelay(delayMs)) {
    await sleep(delayMs, undefined, { signal: stopping, ref: false }).catch(() => undefined)
    if (stopping.aborted) return null
    try {
      const postmaster = await launch(cluster, { unwanted: stopping })
      onLog(`PostgreSQL runs again (process ${postmaster.pid})`)
      return postmaster
    } catch (error) {
      onLog((error as Error).message)
    }
  }
}

function nextDelay(delayMs: number): number {
  return Math.min(delayMs * 2, LONGEST_DELAY_MS)
}
