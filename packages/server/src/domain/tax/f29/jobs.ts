import { declareJob } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import { countChange } from './change-store.ts'

/**
 * Computes the proposal of a period, after any change of what it is made of. All that wait in the lane of an empresa are
 * computed together, each period once. A key would not do: a request made while a computation runs must be served too,
 * since that one may have read already.
 */
export const computeProposal = declareJob<{ readonly period: string }>({
  name: 'f29.compute',
  batch: 100,
  delete_on_success: true,
})

export const FILE_ATTEMPTS = 8

/** Submits a declaration to the SII and polls until it is decided. */
export const fileDeclaration = declareJob<{ readonly filing_id: string }>({
  name: 'f29.file',
  max_attempts: FILE_ATTEMPTS,
})

/**
 * Says that what the proposal of a period is made of changed: it is stale from the commit on, and computed soon after.
 */
export async function requestCompute(
  tx: Pick<BaseContext, 'enqueue' | 'sql'>,
  scope: EmpresaScope,
  period: string,
): Promise<void> {
  const { empresa_id } = scope
  await countChange(tx.sql, scope, period)
  await tx.enqueue(computeProposal, { payload: { period }, empresa_id, lane: empresa_id })
}
