import { defineJob } from '../../kernel/job.ts'

export interface SeedOrder {
  readonly months: number
}

/** Fills a sandbox empresa with the months behind it. */
export const seedYear = defineJob<SeedOrder>({
  name: 'sandbox.seed',
  type: 'sandbox_seed',
  lane_concurrency: 1,
  run: async (ctx, order) => (await import('./run.ts')).runSeed(ctx, order),
})
