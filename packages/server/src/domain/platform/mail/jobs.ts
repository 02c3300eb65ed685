import { declareJob } from '../../../kernel/job.ts'

export interface SealedLetter {
  readonly letter_id: string
  readonly sealed: string
}

/** Hands one letter to the mail server. Ten tries over about half a day, unless the other side refuses for good. */
export const sendLetter = declareJob<SealedLetter>({
  name: 'mail.send',
  max_attempts: 10,
  backoff_seconds: [5, 30, 120, 600, 1800, 3600, 7200],
})
