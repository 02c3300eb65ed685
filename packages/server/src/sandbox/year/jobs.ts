import { declareJob } from '../../kernel/job.ts'

export interface SeedOrder {
  readonly months: number
}

/** Fills a sandbox empresa with the months behind it. */
export const seedYear = declareJob<SeedOrder>({
  name: 'sandbox.seed',
  type: 'sandbox_seed',
  pool: 'heavy',
  lane_concurrency: 1,
})
