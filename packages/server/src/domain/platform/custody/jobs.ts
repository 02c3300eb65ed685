import { declareJob } from '../../../kernel/job.ts'

/** Seals anew what older keys sealed, up to `version`, in batches while the service goes on. */
export const resealCustody = declareJob<{ readonly version: number }>({
  name: 'custody.reseal',
  max_attempts: 1_000,
  backoff_seconds: [5, 60],
  every_seconds: [60],
})
