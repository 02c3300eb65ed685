import { BEAT_MS } from '../../../kernel/beat.ts'
import { declareJob } from '../../../kernel/job.ts'

/** About how many deliveries of one endpoint share a job where more were born at once. */
export const TOGETHER = 32

/** Deliveries that one endpoint is owed. */
export interface OwedDeliveries {
  readonly endpoint_id: string
  readonly delivery_ids: readonly string[]
}

/** As a version before this one queued them: one by one, in the pool of mails. */
interface OwedDelivery {
  readonly endpoint_id: string
  readonly delivery_id: string
}

export type DeliveryPayload = OwedDeliveries | OwedDelivery

/**
 * How far apart what begins for one endpoint is, while more comes: it is claimed, read and recorded together. A quarter of a beat, so that
 * what documents tell of that are emitted and settled on it goes right behind.
 */
const GATHER_MS = BEAT_MS / 4

/**
 * Sends the pending deliveries of an endpoint that were born together. The row of a delivery says how far it got and its job only when to
 * look at it again, so that a worker that dies at any moment costs at most a repetition. Its pool is one that the version before does not
 * know: a worker of that would find no delivery in such a job, and end it.
 */
export const deliverWebhook = declareJob<DeliveryPayload>({
  name: 'webhook.deliver',
  pool: 'calls',
  // One that is being sent, one that waits behind it, and one that is being claimed.
  lane_concurrency: 3,
  batch: 128,
  gather_ms: GATHER_MS,
  delete_on_success: true,
  steady: true,
  // Counts our own failures alone: attempts at the receiver have their own schedule.
  max_attempts: 1_000,
  backoff_seconds: [1, 5, 15, 60, 300],
})

export function deliveryIdsOf(payload: DeliveryPayload): readonly string[] {
  return 'delivery_ids' in payload ? payload.delivery_ids : [payload.delivery_id]
}
