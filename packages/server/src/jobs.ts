import type { AnyJob } from './kernel/job.ts'

/** Everything a worker can run. */
export const JOBS: readonly AnyJob[] = []
