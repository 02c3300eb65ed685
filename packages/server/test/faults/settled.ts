import { setTimeout as sleep } from 'node:timers/promises'
import type { Auditor } from './auditor.ts'
import type { Feed } from './feed.ts'
import type { Tenant } from './tenant.ts'

const PATIENCE_MS = 120_000
const PAUSE_MS = 500

/** What is still under way, in words; empty when all is settled. */
async function underWay({ read }: Auditor, { empresas, endpoint }: Tenant, feed: Feed): Promise<string[]> {
  const left: string[] = []
  for (const empresa of empresas) {
    for (const status of ['queued', 'sent']) {
      const { data, has_more } = (await read(`/v1/documents?limit=100&status=${status}`, empresa)).body
      if (data.length > 0) left.push(`${data.length}${has_more ? ' or more' : ''} ${status}, such as ${data[0].id}`)
    }
  }
  const pending = (await read(`/v1/webhook_endpoints/${endpoint.id}/deliveries?limit=100&status=pending`)).body
  if (pending.data.length > 0) {
    const [{ id, attempts, next_attempt_at }] = pending.data
    left.push(`${pending.data.length} deliveries, such as ${id} (${attempts} made, next at ${next_attempt_at})`)
  }
  const [newest] = (await read('/v1/events?limit=1')).body.data
  if (newest.id !== feed.ids.at(-1)) left.push(`the feed is not at ${newest.id}`)
  return left
}

/** Waits until nothing is under way any more. Jobs of a killed worker wait for their lease. */
export async function waitUntilSettled(auditor: Auditor, tenant: Tenant, feed: Feed): Promise<void> {
  const started = performance.now()
  for (;;) {
    const left = await underWay(auditor, tenant, feed)
    const took = performance.now() - started
    if (left.length === 0) return
    if (took > PATIENCE_MS) throw new Error(`not settled after ${Math.round(took / 1000)} s: ${left.join('; ')}`)
    await sleep(PAUSE_MS)
  }
}
