import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import { computeProposal } from './jobs.ts'

/** Has the proposal of a period computed once the transaction commits. */
export async function askForCompute(
  tx: Pick<BaseContext, 'enqueue'>,
  { empresa_id }: Pick<EmpresaScope, 'empresa_id'>,
  period: string,
): Promise<void> {
  await tx.enqueue(computeProposal, { payload: { period }, empresa_id, lane: empresa_id })
}
