import { declareJob } from '../../../kernel/job.ts'

export interface ImportOrder {
  readonly statement_id: string
}

export const IMPORT_ATTEMPTS = 8

export interface UndoOrder {
  readonly statement_id: string
}

/** Removes what a large cartola left that was undone; nobody sees it meanwhile. */
export const undoStatement = declareJob<UndoOrder>({ name: 'statement.undo', pool: 'heavy', lane_concurrency: 1 })

/** Imports the movements of a cartola. */
export const importStatement = declareJob<ImportOrder>({
  name: 'statement.import',
  type: 'statement_import',
  pool: 'heavy',
  max_attempts: IMPORT_ATTEMPTS,
  lane_concurrency: 1,
})
