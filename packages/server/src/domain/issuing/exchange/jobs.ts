import { declareJob } from '../../../kernel/job.ts'

/** A copy for a mailbox. The letter's id is fixed when it is requested: a retry sends the same letter. */
export interface ExchangeCopy {
  readonly document_id: string
  readonly letter_id: string
}

export const EXCHANGE_ATTEMPTS = 8

/** Mails a document to the exchange mailbox of its receptor. About a day of attempts, in the pool of deliveries. */
export const deliverExchange = declareJob<ExchangeCopy>({
  name: 'document.exchange',
  pool: 'delivery',
  lane_concurrency: 2,
  max_attempts: EXCHANGE_ATTEMPTS,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
  delete_on_success: true,
})
