import { declareJob } from '../../../kernel/job.ts'

export interface RangeRequest {
  readonly tipo_dte: number
  readonly quantity: number
  /** Tells a job that was made for this question from one that was already there. */
  readonly asked_by: string
}

export const REQUEST_ATTEMPTS = 8

/** Asks the SII for a range. An SII that does not answer is asked again for about a day. */
export const requestRange = declareJob<RangeRequest>({
  name: 'folio.request',
  type: 'folio_request',
  max_attempts: REQUEST_ATTEMPTS,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
})

/** Looks at a range as its last day draws near. */
export const watchExpiry = declareJob<{ readonly caf_id: string }>({
  name: 'folio.watch_expiry',
  delete_on_success: true,
})
