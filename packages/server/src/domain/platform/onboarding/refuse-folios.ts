import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Settling } from '../../reactions.ts'
import { blockedReason } from './block.ts'
import { failStep } from './finish.ts'
import { listSteps } from './store.ts'

/** No first folios come of a tipo: the step stands still with the words of the SII, until somebody asks to look again. */
export async function refuseFirstFolios(
  tx: Settling,
  scope: EmpresaScope,
  refusal: { readonly tipo_dte: number; readonly sentence: string },
): Promise<void> {
  const step = (await listSteps(tx.sql, scope)).get('folios')
  if (step?.status !== 'in_progress') return
  await failStep(tx, scope, 'folios', blockedReason('folios_refused', tx.now(), null, { ...refusal }))
}
