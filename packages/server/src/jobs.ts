import type { AnyJob } from './kernel/job.ts'
import { advanceClock } from './modules/test-helper/advance-clock.ts'

/** Everything a worker can run. */
export const JOBS: readonly AnyJob[] = [advanceClock]
