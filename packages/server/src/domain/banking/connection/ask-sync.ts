import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { syncConnection } from './jobs.ts'
import type { ConnectionRow } from './show.ts'
import { noteJob } from './sync-store.ts'

export interface Asked {
  readonly job_id: string
  /** False when a reading was queued or running already: then that one is the answer. */
  readonly fresh: boolean
}

/** Has a connection read. While one reading of it waits or runs no second one is made. */
export async function askForSync(
  tx: Pick<JobTransaction, 'sql' | 'enqueue'>,
  scope: EmpresaScope,
  row: ConnectionRow,
  { refresh }: { readonly refresh: boolean },
): Promise<Asked> {
  const job_id = await tx.enqueue(syncConnection, {
    payload: { connection_id: row.id, refresh },
    key: row.id,
    empresa_id: scope.empresa_id,
    lane: row.id,
  })
  const fresh = job_id !== row.sync_job_id
  if (fresh) await noteJob(tx.sql, scope, row.id, job_id)
  return { job_id, fresh }
}
