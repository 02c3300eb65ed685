import { declareJob } from '../../../kernel/job.ts'

/** Deletes the files of an empresa that is gone. */
export const dropArtifacts = declareJob<{ readonly folder: string }>({ name: 'artifact.drop', delete_on_success: true })
