import { declareJob } from '../../../kernel/job.ts'

export interface PurgeOrder {
  readonly empresa_id: string
}

/** Deletes the rows of an empresa that is gone and had too many for one transaction. */
export const purgeRows = declareJob<PurgeOrder>({ name: 'empresa.purge', lane_concurrency: 1 })

/** Looks whether anything shows that the RUT of a live empresa is its account's to use, and archives it in the end. */
export const watchEmpresaProof = declareJob<Readonly<Record<string, never>>>({
  name: 'empresa.watch_proof',
  delete_on_success: true,
})

/** Deletes the files of an empresa that is gone. */
export const dropArtifacts = declareJob<{ readonly folder: string }>({ name: 'artifact.drop', delete_on_success: true })
