import type { Entry, Outcomes } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import { openBatcher } from './delivery-batcher.ts'
import { DeliveryJob, DeliveryRun } from './delivery-job.ts'
import { EndpointLane } from './endpoint-lane.ts'
import { type DeliveryPayload, deliveryIdsOf } from './jobs.ts'

/** What a process has in hand for one account in one mode: a lane for each endpoint, and what they read and write together. */
type Lanes = ReturnType<typeof openLanes>

function openLanes(ctx: JobContext) {
  const batcher = openBatcher(ctx)
  const lanes = new Map<string, EndpointLane>()
  return {
    of(endpoint_id: string): EndpointLane {
      const known = lanes.get(endpoint_id)
      if (known) return known
      const lane = new EndpointLane(batcher, () => lanes.delete(endpoint_id))
      lanes.set(endpoint_id, lane)
      return lane
    },
    get empty() {
      return lanes.size === 0
    },
  }
}

/** By process, which its cache stands for, and then by account and mode: an account has its share of the connections. */
const processes = new WeakMap<JobContext['cache'], Map<string, Lanes>>()

function lanesOf(ctx: JobContext): { readonly lanes: Lanes; readonly release: () => void } {
  const accounts = processes.get(ctx.cache) ?? new Map<string, Lanes>()
  processes.set(ctx.cache, accounts)
  const name = `${ctx.mode}|${ctx.account_id}`
  const lanes = accounts.get(name) ?? openLanes(ctx)
  accounts.set(name, lanes)
  const release = () => {
    if (lanes.empty && accounts.get(name) === lanes) accounts.delete(name)
  }
  return { lanes, release }
}

/** Sends deliveries of one endpoint. Batches of it that run at the same time share its lane. */
export async function deliverWebhooks(ctx: JobContext, entries: readonly Entry<DeliveryPayload>[]): Promise<Outcomes> {
  const endpoint_id = entries[0]?.payload.endpoint_id ?? ''
  const { lanes, release } = lanesOf(ctx)
  const run = new DeliveryRun(ctx, endpoint_id, entries.length)
  const jobs = entries.map(
    ({ id, payload }) => new DeliveryJob(run, { id, endpoint_id, delivery_ids: deliveryIdsOf(payload) }),
  )
  lanes.of(endpoint_id).add(jobs)
  await run.over
  release()
  return run.ends
}
