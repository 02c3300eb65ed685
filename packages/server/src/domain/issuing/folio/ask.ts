import { santiagoDate } from '@timbre/dte/values'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { readAvailability } from './availability.ts'
import { requestRange } from './jobs.ts'
import { isJobOf } from './store.ts'

export type Asking = Pick<JobTransaction, 'sql' | 'now' | 'enqueue' | 'emit'>

/**
 * Has the SII asked for a range, and tells of it. While one request of a tipo is on its way no second one is made: the
 * SII counts what a taxpayer has and does not use. Gives the job that asks.
 */
export async function askForFolios(
  tx: Asking,
  scope: EmpresaScope,
  tipo_dte: number,
  quantity: number,
  reason: 'asked' | 'low',
): Promise<string> {
  const asked_by = newId('request')
  const job_id = await tx.enqueue(requestRange, {
    payload: { tipo_dte, quantity, asked_by },
    key: `${scope.empresa_id}:${tipo_dte}`,
    empresa_id: scope.empresa_id,
  })
  if (!(await isJobOf(tx.sql, scope, job_id, asked_by))) return job_id
  tx.emit({
    type: 'folios.requested',
    object: await readAvailability(tx.sql, scope, tipo_dte, santiagoDate(tx.now())),
    empresa: { id: scope.empresa_id, rut: scope.rut },
    detail: { quantity, job_id, reason },
  })
  return job_id
}
