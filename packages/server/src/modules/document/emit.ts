import { defineJob } from '../../kernel/job.ts'

/** Gives queued documents their folio, signs them and sends them to the SII. One lane is one empresa and tipo. */
export const emitDocuments = defineJob<{ document_id: string }>({
  name: 'document.emit',
  batch: 100,
  lane_concurrency: 1,
  leaves_no_trace: true,
  max_attempts: 1_000,
  runMany: async () => new Map(),
})
