import { declareJob } from '../../../kernel/job.ts'

export interface ImportOrder {
  readonly statement_id: string
}

export const IMPORT_ATTEMPTS = 8

/** Brings the movements of a cartola in. */
export const importStatement = declareJob<ImportOrder>({
  name: 'statement.import',
  type: 'statement_import',
  max_attempts: IMPORT_ATTEMPTS,
  lane_concurrency: 1,
})
