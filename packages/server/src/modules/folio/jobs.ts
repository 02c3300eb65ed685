import { defineJob } from '../../kernel/job.ts'

export interface RangeRequest {
  readonly tipo_dte: number
  readonly quantity: number
  /** Tells a job that was made for this question from one that was already there. */
  readonly asked_by: string
}

export const REQUEST_ATTEMPTS = 8

// What these two run brings ranges and tells of stocks, and both of those ask for these very jobs: so it is loaded when
// it runs.

/** Asks the SII for a range. An SII that does not answer is asked again for about a day. */
export const requestRange = defineJob<RangeRequest>({
  name: 'folio.request',
  type: 'folio_request',
  max_attempts: REQUEST_ATTEMPTS,
  backoff_seconds: [10, 60, 300, 900, 3_600, 14_400, 43_200],
  run: async (ctx, request) => (await import('./fetch-range.ts')).fetchRange(ctx, request),
})

/** Looks at a range as its last day draws near. */
export const watchExpiry = defineJob<{ readonly caf_id: string }>({
  name: 'folio.watch_expiry',
  leaves_no_trace: true,
  run: async (ctx, watched) => (await import('./watch-expiry.ts')).lookAtExpiry(ctx, watched),
})
