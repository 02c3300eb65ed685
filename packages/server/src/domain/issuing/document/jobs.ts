import type { TipoDte } from '@timbre/dte/values'
import { BEAT_MS } from '../../../kernel/beat.ts'
import { declareJob } from '../../../kernel/job.ts'

export interface Emission {
  readonly document_id: string
  /** Set for a document that is emitted alone: how many of its runs crashed. */
  readonly tries?: number
}

/** Assigns folios to queued documents, signs them and sends them to the SII. One lane is one empresa and tipo. */
export const emitDocuments = declareJob<Emission>({
  name: 'document.emit',
  batch: 100,
  gather_ms: BEAT_MS,
  on_beats: true,
  lane_concurrency: 1,
  delete_on_success: true,
  steady: true,
  claims_late: true,
  max_attempts: 1_000,
  backoff_seconds: [1, 5, 15, 60],
})

/** An envelope that was sent. */
export interface PolledEnvelope {
  readonly envelope_key: string
  /** Those that went in it. Jobs of the release before do not tell. */
  readonly document_ids?: readonly string[]
  /** A digest of the data of the empresa in it. */
  readonly data?: string
  /** Of the empresa: with it nothing more has to be known of it to ask. */
  readonly rut?: string
}

/** The documents of an envelope, or one that the free portal issued. */
export type Polled = PolledEnvelope | { readonly document_id: string }

/** Polls the SII about the documents of an envelope, ever less often, until each has its answer. */
export const pollDocuments = declareJob<Polled>({
  name: 'document.follow',
  on_beats: true,
  delete_on_success: true,
  steady: true,
  claims_late: true,
  max_attempts: 1_000,
  every_seconds: [10, 10, 30, 60, 300, 900],
})

/** Sends an envelope that the SII lost, and that was given up, once more: somebody asked for it. */
export const resendEnvelope = declareJob<Pick<PolledEnvelope, 'envelope_key' | 'document_ids'>>({
  name: 'document.resend',
  delete_on_success: true,
})

/** What the SII took of one tipo and of one stretch of folios on one day, in UTC. Jobs of the release before name their documents. */
export type Watched =
  | { readonly day: string; readonly tipo_dte: TipoDte; readonly from_folio: number }
  | { readonly document_ids: readonly string[] }

/** Asks the register of the SII, day by day, what receptors answered to documents, until their eight days are over. */
export const watchReceptors = declareJob<Watched>({
  name: 'document.watch_receptors',
  delete_on_success: true,
  max_attempts: 1_000,
  backoff_seconds: [60, 3_600],
})

/** Asks the SII about originals of accepted notas until it says that they are annulled. */
export const confirmAnnulment = declareJob<{ readonly document_id: string; readonly note_id: string }>({
  name: 'document.confirm_annulment',
  delete_on_success: true,
  max_attempts: 1_000,
  backoff_seconds: [60, 3_600],
  every_seconds: [30, 60, 300, 900, 3_600, 21_600],
})

/** Asks the SII to mail the result of an envelope once more, where a document of it was refused without a word why. */
export const requestResultMail = declareJob<{ readonly track_id: string }>({
  name: 'document.request_result',
  delete_on_success: true,
  max_attempts: 5,
  backoff_seconds: [60, 300, 900, 3_600],
})
