import { defineJob } from '../../kernel/job.ts'

// What this runs asks for this very job again, so it is loaded when it runs.

/**
 * Looks at the movements of an empresa that are new or changed: what they surely paid, and what they suggest. Also at
 * what is suggested already, since the registers may have changed. All that wait in the line of an empresa are one
 * review. A key would not do: whoever asks while a review runs must be heard, since it may have read already.
 */
export const reviewMovements = defineJob<Record<string, never>>({
  name: 'movement.review',
  batch: 100,
  leaves_no_trace: true,
  runMany: async (ctx) => (await import('./run.ts')).runReview(ctx),
})

export const movementReviewJobs = [reviewMovements]
