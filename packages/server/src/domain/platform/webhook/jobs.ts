import { declareJob } from '../../../kernel/job.ts'
import type { DeliveryName } from './deliver-store.ts'

/**
 * Takes what an endpoint is owed to its receiver. The row of a delivery says how far it got; its job only says when to
 * look at it, so that a worker that dies at any moment costs at most a repetition.
 */
export const deliverWebhook = declareJob<DeliveryName>({
  name: 'webhook.deliver',
  pool: 'delivery',
  lane_concurrency: 4,
  batch: 256,
  delete_on_success: true,
  // Counts our own failures alone: attempts at the receiver have their own schedule.
  max_attempts: 1_000,
  backoff_seconds: [1, 5, 15, 60, 300],
})
