import type { AnyJob } from './kernel/job.ts'
import { sendResetLink } from './modules/account/forgot-password.ts'
import { dropArtifacts } from './modules/artifact/drop.ts'
import { cedeToRegister } from './modules/cesion/job.ts'
import { connectionJobs } from './modules/connection/jobs.ts'
import { emitDocuments } from './modules/document/emit.ts'
import { followDocuments } from './modules/document/follow.ts'
import { deliverDocument } from './modules/document-send/deliver.ts'
import { f29Jobs } from './modules/f29/jobs.ts'
import { requestRange, watchExpiry } from './modules/folio/jobs.ts'
import { sendLetter } from './modules/mail/send.ts'
import { movementReviewJobs } from './modules/movement-review/job.ts'
import { rcvJobs } from './modules/rcv/jobs.ts'
import { receivedDocumentJobs } from './modules/received-document/jobs.ts'
import { seedYear } from './modules/sandbox-year/job.ts'
import { importStatement } from './modules/statement/job.ts'
import { advanceClock } from './modules/test-helper/advance-clock.ts'
import { deliverWebhook } from './modules/webhook/deliver.ts'

/** Everything a worker can run. */
export const JOBS: readonly AnyJob[] = [
  dropArtifacts,
  cedeToRegister,
  ...connectionJobs,
  deliverDocument,
  emitDocuments,
  followDocuments,
  ...f29Jobs,
  requestRange,
  watchExpiry,
  sendLetter,
  sendResetLink,
  ...movementReviewJobs,
  ...rcvJobs,
  ...receivedDocumentJobs,
  seedYear,
  importStatement,
  advanceClock,
  deliverWebhook,
]
