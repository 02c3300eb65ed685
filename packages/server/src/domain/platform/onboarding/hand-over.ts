import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Settling } from '../../reactions.ts'
import { driveOnboarding } from './drive.ts'
import type { StepKey } from './lanes.ts'
import { listSteps, saveHandedOver } from './store.ts'
import { tellChange } from './tell-change.ts'

/**
 * Hands what is ours in a step of one empresa to people of the operator, also what is made ready before somebody approves it:
 * the job does nothing of it from then on. It is over when the step closes or fails. Handed over twice, the first reason stays.
 */
export async function handOver(tx: Settling, scope: EmpresaScope, key: StepKey, why: string): Promise<void> {
  await tellChange(tx, scope, async () => {
    const step = (await listSteps(tx.sql, scope)).get(key)
    const open = step?.status === 'in_progress' || step?.status === 'action_required'
    if (!open || step.handed_over) return
    await saveHandedOver(tx.sql, scope, key, { why, at: tx.now().toISOString() })
  })
  // What the job would have prepared to be approved, it does not prepare any more: whoever approves is asked now.
  await driveOnboarding(tx, scope)
}

/** Gives a step back to the job, which goes on from where it stands. */
export async function giveBack(tx: Settling, scope: EmpresaScope, key: StepKey): Promise<void> {
  await tellChange(tx, scope, () => saveHandedOver(tx.sql, scope, key, null))
  await driveOnboarding(tx, scope)
}
