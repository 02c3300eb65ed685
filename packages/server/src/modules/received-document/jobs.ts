import { defineJob } from '../../kernel/job.ts'

// What these run brings the engine or asks for these very jobs, so it is loaded when it runs.

/** Opens a mail that is already in safety and takes in what it holds. */
export const takeMail = defineJob<{ readonly mail_id: string }>({
  name: 'reception.take_mail',
  leaves_no_trace: true,
  run: async (ctx, { mail_id }) => (await import('./take-mail.ts')).takeMailIn(ctx, mail_id),
})

export const ANSWER_ATTEMPTS = 8

/** Signs an exchange answer and hands it to whoever sent the document. About a day of tries. */
export const sendAnswer = defineJob<{ readonly answer_id: string }>({
  name: 'reception.answer',
  pool: 'delivery',
  lane_concurrency: 2,
  max_attempts: ANSWER_ATTEMPTS,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
  leaves_no_trace: true,
  run: async (ctx, { answer_id }) => (await import('./answer.ts')).answerSender(ctx, answer_id),
})

/** Looks at a document without an answer as its eight days draw to an end. */
export const watchDeadline = defineJob<{ readonly received_document_id: string }>({
  name: 'received_document.watch',
  leaves_no_trace: true,
  run: async (ctx, watched) => (await import('./watch.ts')).lookAtDeadline(ctx, watched),
})

export const receivedDocumentJobs = [takeMail, sendAnswer, watchDeadline]
