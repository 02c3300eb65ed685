import type { AnyJob } from './kernel/job.ts'
import { sendResetLink } from './modules/account/forgot-password.ts'
import { requestRange, watchExpiry } from './modules/folio/jobs.ts'
import { sendLetter } from './modules/mail/send.ts'
import { advanceClock } from './modules/test-helper/advance-clock.ts'
import { deliverWebhook } from './modules/webhook/deliver.ts'

/** Everything a worker can run. */
export const JOBS: readonly AnyJob[] = [
  requestRange,
  watchExpiry,
  sendLetter,
  sendResetLink,
  advanceClock,
  deliverWebhook,
]
