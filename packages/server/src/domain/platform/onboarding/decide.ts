import type { EvidenceAct } from '../../../catalog/evidence.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Origin } from '../../context.ts'
import type { ApprovalMaterial, Settling } from '../../reactions.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { recordEvidence } from '../evidence/record.ts'
import { blockedReason } from './block.ts'
import { declarationOf } from './declarations.ts'
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
  /** The declaration that the person read when they decided. */
  readonly document?: EvidenceDocument | null
  /** SHA-256 of what was prepared and shown to them, where whoever records it says so: refused if it is another by now. */
  readonly shown?: string | undefined
}

type EvidenceDocument = { readonly version: string; readonly sha256: string }

/** Of files, what was shown is the files; else it is the declaration, in which what the SII asks for stands in words. */
function documentOf(
  act: ApprovalAct,
  row: EmpresaRow,
  material: ApprovalMaterial | null,
  read: EvidenceDocument | null,
): EvidenceDocument | null {
  if (!material || (read && material.files === 0)) return read
  return { version: declarationOf(act, row, material).version, sha256: material.sha256 }
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
  const { decision, approved_by, reason, origin, document = null, shown } = decided
  const material = await tx.reactions.materialOf(tx, scope, step.key)
  if (shown !== undefined && shown !== material?.sha256)
    throw new Problem('step_not_awaiting_approval', {
      message: 'What was shown has been prepared anew since: show it again before it is decided.',
      details: { ...details, shown: material?.sha256 ?? null },
    })
  if (approved_by.role !== approval.role)
    throw new Problem('approval_role_required', {
      param: 'approved_by.role',
      details: { ...details, role: approval.role },
    })
  const acts = ACTS[approval.act] ?? USUAL
  const evidence = { step: step.key, act: acts[decision], actor: approved_by, ...origin }
  await recordEvidence(tx, scope, { ...evidence, document: documentOf(approval.act, row, material, document) })
  const approved_at = decision === 'approve' ? tx.now() : null
  await tellChange(tx, scope, async () => {
    await saveDecision(
      tx.sql,
      scope,
      step.key,
      {
        decision,
        approved_by,
        ...(reason !== undefined && { reason }),
        tipos: tiposToApprove(row, step.key),
        ...(material && { shown: material.sha256 }),
      },
      approved_at,
    )
    const declined =
      decision === 'decline' ? blockedReason('approval_declined', tx.now(), null, { reason: reason ?? null }) : null
    await saveBlock(tx.sql, scope, step.key, { ...step, blocked_reason: declined })
  })
  if (decision === 'approve') await driveOnboarding(tx, scope)
}
