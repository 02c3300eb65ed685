import { declareJob } from '../../../kernel/job.ts'

export interface Addressed {
  readonly id: string
  readonly to: string
}

export interface Sending {
  readonly document_id: string
  readonly message: string | null
  readonly letters: readonly Addressed[]
}

export const SEND_ATTEMPTS = 8

/** Mails a document, one letter a recipient. Letters hang on a mail server, so they are run beside nobody's work. */
export const deliverDocument = declareJob<Sending>({
  name: 'document.send',
  type: 'document_send',
  pool: 'delivery',
  lane_concurrency: 2,
  max_attempts: SEND_ATTEMPTS,
  backoff_seconds: [5, 30, 120, 600, 1_800, 3_600, 7_200],
})
