import { declareJob } from '../../../kernel/job.ts'

export interface Emission {
  readonly document_id: string
  /** Set for one that is run alone: how many runs of it did not end. */
  readonly tries?: number
}

/** Gives queued documents their folio, signs them and sends them to the SII. One lane is one empresa and tipo. */
export const emitDocuments = declareJob<Emission>({
  name: 'document.emit',
  batch: 100,
  lane_concurrency: 1,
  delete_on_success: true,
  max_attempts: 1_000,
  backoff_seconds: [1, 5, 15, 60],
})

/** Asks the SII what became of the documents of an envelope, ever less often, until each has its answer. */
export const pollDocuments = declareJob<{ readonly track_id: string }>({
  name: 'document.follow',
  delete_on_success: true,
  max_attempts: 1_000,
  every_seconds: [10, 10, 30, 60, 300, 900],
})
