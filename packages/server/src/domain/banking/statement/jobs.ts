import { declareJob } from '../../../kernel/job.ts'

export interface ImportOrder {
  readonly statement_id: string
}

export const IMPORT_ATTEMPTS = 8

/** Imports the movements of a cartola. */
export const importStatement = declareJob<ImportOrder>({
  name: 'statement.import',
  type: 'statement_import',
  max_attempts: IMPORT_ATTEMPTS,
  lane_concurrency: 1,
})
