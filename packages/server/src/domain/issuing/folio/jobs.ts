import { declareJob } from '../../../kernel/job.ts'

export interface RangeRequest {
  readonly tipo_dte: number
  readonly quantity: number
  /** Set where the service asks by itself: as few as it makes do with, where the SII counts many unused. */
  readonly at_least?: number
  /** Tells a job that was enqueued for this request from one that was already there. */
  readonly asked_by: string
}

export const REQUEST_ATTEMPTS = 8

/** Requests a range from the SII. One that does not answer is tried again for about a day. */
export const requestRange = declareJob<RangeRequest>({
  name: 'folio.request',
  type: 'folio_request',
  max_attempts: REQUEST_ATTEMPTS,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
})

/** Asks the SII to annul what a range still held, as patiently as it is asked for one. */
export const annulRange = declareJob<{ readonly caf_id: string }>({
  name: 'folio.annul',
  type: 'folio_annulment',
  max_attempts: REQUEST_ATTEMPTS,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
})

/** Looks again at a stock that was low, for which the SII gave nothing or too little. */
export const refillStock = declareJob<{ readonly tipo_dte: number }>({
  name: 'folio.refill',
  delete_on_success: true,
})

/** Checks a range as its last day draws near. */
export const watchExpiry = declareJob<{ readonly caf_id: string }>({
  name: 'folio.watch_expiry',
  delete_on_success: true,
})
