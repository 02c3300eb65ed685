import { declareJob } from '../../../kernel/job.ts'

/** Ingests a mail that is already saved. One mailbox is read mail by mail, and mailboxes take turns. */
export const ingestMail = declareJob<{ readonly mail_id: string }>({
  name: 'reception.take_mail',
  pool: 'reading',
  lane_concurrency: 1,
  delete_on_success: true,
})

export const ANSWER_ATTEMPTS = 8

/** Signs an exchange answer and mails it to the sender of the document. About a day of attempts. */
export const sendAnswer = declareJob<{ readonly answer_id: string }>({
  name: 'reception.answer',
  pool: 'delivery',
  lane_concurrency: 2,
  max_attempts: ANSWER_ATTEMPTS,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
  delete_on_success: true,
})

/** Checks a document without an answer as its eight days draw to an end. */
export const watchDeadline = declareJob<{ readonly received_document_id: string }>({
  name: 'received_document.watch',
  delete_on_success: true,
})
