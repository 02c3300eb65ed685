import type { EvidenceAct } from '../../../catalog/evidence.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Origin } from '../../context.ts'
import type { Settling } from '../../reactions.ts'
import { recordEvidence } from '../evidence/record.ts'
import { blockedReason } from './block.ts'
import { driveOnboarding } from './drive.ts'
import { tiposToApprove } from './facts.ts'
import { isCurrent, lockStep } from './finish.ts'
import { type ApprovalAct, stepOf } from './lanes.ts'
import { type Decision, saveBlock, saveDecision } from './store.ts'
import { tellChange } from './tell-change.ts'

const ACTS: Readonly<Partial<Record<ApprovalAct, Record<Decision['decision'], EvidenceAct>>>> = {
  go_live: { approve: 'go_live_approved', decline: 'go_live_declined' },
  muestras_revision: { approve: 'muestras_revision', decline: 'step_declined' },
}
const USUAL: Record<Decision['decision'], EvidenceAct> = { approve: 'step_approved', decline: 'step_declined' }

export interface Decided extends Decision {
  readonly origin: Origin
  /** What the person was shown when they decided. */
  readonly document?: { readonly version: string; readonly sha256: string } | null
}

/**
 * Records the decision of whom a step asks. An approval lets the step begin; a refusal leaves it waiting, says so and does
 * nothing. Of two that decide at the same instant the second finds nothing to decide.
 */
export async function decideStep(tx: Settling, scope: EmpresaScope, key: string, decided: Decided): Promise<void> {
  const { row, step } = await lockStep(tx, scope, key)
  const { approval } = stepOf(step.key)
  const details = { step: step.key, status: step.status }
  if (!approval || !isCurrent(row, step) || step.status !== 'action_required' || step.approved_at !== null)
    throw new Problem('step_not_awaiting_approval', { details })
  const { decision, approved_by, reason, origin, document = null } = decided
  if (approved_by.role !== approval.role)
    throw new Problem('approval_role_required', {
      param: 'approved_by.role',
      details: { ...details, role: approval.role },
    })
  const acts = ACTS[approval.act] ?? USUAL
  await recordEvidence(tx, scope, { step: step.key, act: acts[decision], actor: approved_by, document, ...origin })
  const approved_at = decision === 'approve' ? tx.now() : null
  await tellChange(tx, scope, async () => {
    await saveDecision(
      tx.sql,
      scope,
      step.key,
      { decision, approved_by, ...(reason !== undefined && { reason }), tipos: tiposToApprove(row, step.key) },
      approved_at,
    )
    const declined =
      decision === 'decline' ? blockedReason('approval_declined', tx.now(), null, { reason: reason ?? null }) : null
    await saveBlock(tx.sql, scope, step.key, { ...step, blocked_reason: declined })
  })
  if (decision === 'approve') await driveOnboarding(tx, scope)
}
