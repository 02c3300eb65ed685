import { declareJob } from '../../../kernel/job.ts'

/** One letter to one recipient. Its id is fixed when it is requested: a retry sends the same letter. */
export interface AddressedLetter {
  readonly id: string
  readonly to: string
}

export interface DocumentMailing {
  readonly document_id: string
  readonly message: string | null
  readonly letters: readonly AddressedLetter[]
}

export const SEND_ATTEMPTS = 8

/** Mails a document, one letter a recipient. A slow mail server holds it up, so it runs in the pool of deliveries. */
export const deliverDocument = declareJob<DocumentMailing>({
  name: 'document.send',
  type: 'document_send',
  pool: 'delivery',
  lane_concurrency: 2,
  max_attempts: SEND_ATTEMPTS,
  backoff_seconds: [5, 30, 120, 600, 1_800, 3_600, 7_200],
})
