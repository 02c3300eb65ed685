import { declareJob } from '../../../kernel/job.ts'

/** Tells once of each document that fell due without being paid, every day while one is open. */
export const watchDueDates = declareJob<Record<string, never>>({
  name: 'payment.watch_due_dates',
  max_attempts: 1_000,
  delete_on_success: true,
})
