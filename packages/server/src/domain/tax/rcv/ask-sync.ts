import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { syncRcv } from './jobs.ts'
import { noteRequested } from './sync-store.ts'

/** Whom a reading waits in line with: what somebody asked for does not wait behind a year of the past. */
export type Line = 'asked' | 'past'

/** Has a period read. While one reading of it waits or runs no second one is made. Gives the job that reads. */
export async function askForPeriod(
  tx: Pick<JobTransaction, 'sql' | 'now' | 'enqueue'>,
  scope: EmpresaScope,
  period: string,
  line: Line = 'asked',
): Promise<string> {
  const job_id = await tx.enqueue(syncRcv, {
    payload: { period },
    key: `${scope.empresa_id}:${period}`,
    empresa_id: scope.empresa_id,
    lane: `${scope.empresa_id}:${line}`,
  })
  await noteRequested(tx.sql, scope, period, { job_id, at: tx.now() })
  return job_id
}
