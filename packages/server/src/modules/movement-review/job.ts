import { defineJob } from '../../kernel/job.ts'

// What this runs asks for this very job again, so it is loaded when it runs.

/**
 * Looks at the movements of an empresa that are new or changed: what they surely paid, and what they suggest. Also at
 * what is suggested already, since the registers may have changed.
 */
export const reviewMovements = defineJob<Record<string, never>>({
  name: 'movement.review',
  lane_concurrency: 1,
  leaves_no_trace: true,
  run: async (ctx) => (await import('./run.ts')).runReview(ctx),
})

export const movementReviewJobs = [reviewMovements]
