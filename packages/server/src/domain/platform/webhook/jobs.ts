import { declareJob } from '../../../kernel/job.ts'
import type { DeliveryName } from './task-store.ts'

/**
 * Sends the pending deliveries of an endpoint. The row of a delivery says how far it got and its job only when to
 * look at it again, so that a worker that dies at any moment costs at most a repetition.
 */
export const deliverWebhook = declareJob<DeliveryName>({
  name: 'webhook.deliver',
  pool: 'delivery',
  // One that is being sent, one that waits behind it, and one that is being claimed.
  lane_concurrency: 3,
  batch: 256,
  delete_on_success: true,
  steady: true,
  // Counts our own failures alone: attempts at the receiver have their own schedule.
  max_attempts: 1_000,
  backoff_seconds: [1, 5, 15, 60, 300],
})
