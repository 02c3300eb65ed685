import type { BaseContext, EmpresaScope } from '../../kernel/context.ts'
import { reviewMovements } from './job.ts'

/** Has the movements of an empresa reviewed once the transaction commits. Many that wait are one. */
export async function askForReview(
  tx: Pick<BaseContext, 'enqueue'>,
  { empresa_id }: Pick<EmpresaScope, 'empresa_id'>,
): Promise<void> {
  await tx.enqueue(reviewMovements, { payload: {}, empresa_id, lane: empresa_id })
}
