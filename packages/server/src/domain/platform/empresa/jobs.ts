import { declareJob } from '../../../kernel/job.ts'

export interface PurgeOrder {
  readonly empresa_id: string
}

/** Deletes the rows of an empresa that is gone and had too many for one transaction. */
export const purgeRows = declareJob<PurgeOrder>({ name: 'empresa.purge', lane_concurrency: 1 })

/** Deletes the files of an empresa that is gone. */
export const dropArtifacts = declareJob<{ readonly folder: string }>({ name: 'artifact.drop', delete_on_success: true })
