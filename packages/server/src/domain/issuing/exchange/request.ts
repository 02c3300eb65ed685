import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import { onAcceptance } from '../automation-settings/on-acceptance.ts'
import type { DocumentRow } from '../document/show.ts'
import { isExchanged } from './envelope.ts'
import { deliverExchange } from './jobs.ts'

/**
 * Has accepted documents sent to the mailboxes of their receptors, unless the empresa turned that off. Where the list of
 * mailboxes was never loaded nobody is known to have one, and nothing is told of every document.
 */
export async function exchangeAccepted(
  tx: Pick<BaseContext, 'sql' | 'cache' | 'enqueue'>,
  scope: EmpresaScope,
  rows: readonly DocumentRow[],
): Promise<void> {
  const exchanged = rows.filter((row) => isExchanged(row, scope.rut))
  if (exchanged.length === 0 || !(await onAcceptance(tx, scope)).exchanges) return
  const { empresa_id } = scope
  for (const { id } of exchanged) {
    const payload = { document_id: id, letter_id: newId('letter') }
    await tx.enqueue(deliverExchange, { payload, empresa_id, lane: empresa_id })
  }
}
