import { applyNotice, revokeLink, syncConnection, syncDaily } from './domain/banking/connection/jobs.ts'
import { reviewMovements } from './domain/banking/movement/jobs.ts'
import { watchDueDates } from './domain/banking/payment/jobs.ts'
import { importStatement, undoStatement } from './domain/banking/statement/jobs.ts'
import { runCertification } from './domain/issuing/certification/jobs.ts'
import { cedeToRegister } from './domain/issuing/cesion/jobs.ts'
import {
  confirmAnnulment,
  emitDocuments,
  pollDocuments,
  requestResultMail,
  resendEnvelope,
  watchReceptors,
} from './domain/issuing/document/jobs.ts'
import { deliverExchange } from './domain/issuing/exchange/jobs.ts'
import { annulRange, refillStock, requestRange, watchExpiry } from './domain/issuing/folio/jobs.ts'
import { deliverDocument } from './domain/issuing/send/jobs.ts'
import { type HandledJob, handle, handleMany } from './domain/job.ts'
import { sendResetLink } from './domain/platform/account/jobs.ts'
import { askHolderProof, logOutCertificate, watchCertificate } from './domain/platform/certificate/jobs.ts'
import { resealCustody } from './domain/platform/custody/jobs.ts'
import { dropArtifacts, purgeRows, watchEmpresaProof } from './domain/platform/empresa/jobs.ts'
import { sendLetter } from './domain/platform/mail/jobs.ts'
import { lookAtStep, writeToPerson } from './domain/platform/onboarding/jobs.ts'
import { advanceClock } from './domain/platform/test-clock/jobs.ts'
import { deliverWebhook } from './domain/platform/webhook/jobs.ts'
import { ingestMail, sendAnswer, watchDeadline } from './domain/receiving/received-document/jobs.ts'
import { computeProposal, fileDeclaration } from './domain/tax/f29/jobs.ts'
import { sendRcvDecisions, syncRcv, syncRcvDaily } from './domain/tax/rcv/jobs.ts'
import { seedYear } from './sandbox/year/jobs.ts'

/**
 * Every job a worker can run, bound to its handler. Nouns declare their jobs without the handlers, so that a handler can
 * enqueue its own job again; the two meet here alone.
 */
export const JOBS: readonly HandledJob[] = [
  handle(sendResetLink, async () => (await import('./domain/platform/account/set-password.ts')).mailResetLink),
  handle(resealCustody, async () => {
    const [{ resealAll }, { SEALED }] = await Promise.all([
      import('./domain/platform/custody/reseal.ts'),
      import('./sealed.ts'),
    ])
    return (ctx, payload) => resealAll(ctx, payload, SEALED)
  }),
  handle(askHolderProof, async () => (await import('./domain/platform/certificate/ask-proof.ts')).proveByHolder),
  handle(logOutCertificate, async () => (await import('./domain/platform/certificate/log-out.ts')).endSession),
  handle(lookAtStep, async () => (await import('./domain/platform/onboarding/look.ts')).lookAt),
  handle(writeToPerson, async () => (await import('./domain/platform/onboarding/write-letter.ts')).writeAboutStep),
  handle(watchCertificate, async () => (await import('./domain/platform/certificate/expiry.ts')).checkCertificate),
  handle(sendLetter, async () => (await import('./domain/platform/mail/send.ts')).deliverLetter),
  handleMany(deliverWebhook, async () => (await import('./domain/platform/webhook/deliver.ts')).deliverWebhooks),

  handleMany(emitDocuments, async () => (await import('./domain/issuing/document/emit.ts')).emitQueued),
  handle(confirmAnnulment, async () => (await import('./domain/issuing/credit-note/annul.ts')).confirmWithSii),
  handle(pollDocuments, async () => (await import('./domain/issuing/document/poll-sii.ts')).pollSii),
  handle(resendEnvelope, async () => (await import('./domain/issuing/document/resend.ts')).resendLost),
  handle(requestResultMail, async () => (await import('./domain/issuing/document/request-result.ts')).askForResult),
  handle(
    watchReceptors,
    async () => (await import('./domain/issuing/document/watch-receptors.ts')).readReceptorAnswers,
  ),
  handle(deliverDocument, async () => (await import('./domain/issuing/send/deliver.ts')).deliverLetters),
  handle(deliverExchange, async () => (await import('./domain/issuing/exchange/deliver.ts')).deliverCopy),
  handle(runCertification, async () => (await import('./domain/issuing/certification/run.ts')).carryOn),
  handle(cedeToRegister, async () => (await import('./domain/issuing/cesion/process.ts')).processCesion),
  handle(requestRange, async () => (await import('./domain/issuing/folio/fetch-range.ts')).fetchRange),
  handle(annulRange, async () => (await import('./domain/issuing/folio/annul-range.ts')).annulFolios),
  handle(refillStock, async () => (await import('./domain/issuing/folio/run-refill.ts')).runRefill),
  handle(watchExpiry, async () => (await import('./domain/issuing/folio/expiry.ts')).checkExpiry),
  handle(dropArtifacts, async () => (await import('./domain/platform/empresa/files.ts')).deleteArtifacts),
  handle(watchEmpresaProof, async () => (await import('./domain/platform/empresa/unproven.ts')).watchProof),
  handle(purgeRows, async () => (await import('./domain/platform/empresa/purge.ts')).purgeEmpresa),

  handle(
    ingestMail,
    async () => (await import('./domain/receiving/received-document/ingest-mail.ts')).ingestQueuedMail,
  ),
  handle(sendAnswer, async () => (await import('./domain/receiving/received-document/send-answer.ts')).deliverAnswer),
  handle(watchDeadline, async () => (await import('./domain/receiving/received-document/deadline.ts')).checkDeadline),

  handle(syncRcv, async () => (await import('./domain/tax/rcv/sync.ts')).syncRegister),
  handle(syncRcvDaily, async () => (await import('./domain/tax/rcv/daily-sync.ts')).requestDailyRegisterSync),
  handle(sendRcvDecisions, async () => (await import('./domain/tax/rcv/send-decisions.ts')).sendDecisions),
  handleMany(computeProposal, async () => (await import('./domain/tax/f29/recompute.ts')).computeQueued),
  handle(fileDeclaration, async () => (await import('./domain/tax/f29/submit-filing.ts')).submitOrPollFiling),

  handle(syncConnection, async () => (await import('./domain/banking/connection/sync.ts')).syncMovements),
  handle(
    syncDaily,
    async () => (await import('./domain/banking/connection/request-sync.ts')).requestDailyConnectionSync,
  ),
  handle(revokeLink, async () => (await import('./domain/banking/connection/revoke-link.ts')).revokeAtProvider),
  handle(applyNotice, async () => (await import('./domain/banking/connection/apply-notice.ts')).applyBankNotice),
  handle(watchDueDates, async () => (await import('./domain/banking/payment/overdue.ts')).checkDueDates),
  handle(importStatement, async () => (await import('./domain/banking/statement/import.ts')).importMovements),
  handle(undoStatement, async () => (await import('./domain/banking/statement/undo.ts')).removeQueued),
  handleMany(reviewMovements, async () => (await import('./domain/banking/movement/review/review.ts')).reviewPending),

  handle(advanceClock, async () => (await import('./domain/platform/test-clock/advance-clock.ts')).moveClock),
  handle(seedYear, async () => (await import('./sandbox/year/run.ts')).runSeed),
]
