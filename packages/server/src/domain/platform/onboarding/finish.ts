import { advance } from '../../../kernel/advance.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Settling } from '../../reactions.ts'
import { findEmisor, lockEmisor } from '../empresa/emisor.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { driveOnboarding, tell } from './drive.ts'
import { isStepKey, type StepKey, stepOf } from './lanes.ts'
import { onboardingStepMachine } from './machine.ts'
import { readBody } from './read.ts'
import type { BlockedReason } from './schema.ts'
import { isClosed, type StepStatus, TRIGGERS } from './settle.ts'
import { currentStep } from './status.ts'
import { listSteps, type StepRow, saveBlock, saveMove } from './store.ts'
import { stepsOfRow, walkOf } from './walk.ts'

/**
 * A step of the lane of an empresa, with the empresa locked; 404 for any other key. 403 once the mandato was revoked, or the
 * empresa archived, while whoever asks waited for the lock: they were let in when it still stood.
 */
export async function lockStep(
  tx: Settling,
  scope: EmpresaScope,
  key: string,
): Promise<{ row: EmpresaRow; step: StepRow }> {
  const row = await lockEmisor(tx.sql, scope)
  if (!row) throw new Problem('empresa_not_found')
  if (row.status !== 'active') throw new Problem('empresa_inactive')
  const lane = stepsOfRow(row)
  const step = isStepKey(key) && lane.includes(key) ? (await listSteps(tx.sql, scope)).get(key) : undefined
  if (!step)
    throw new Problem('onboarding_step_not_found', { details: { step: key, steps: row.steps === null ? [] : lane } })
  return { row, step }
}

/** The step that is open now: the others have nothing to record. */
export function isCurrent(row: EmpresaRow, { key }: StepRow): boolean {
  const walk = walkOf(row)
  return walk !== null && currentStep(walk) === key
}

/** Moves one step, with what holds it up from then on, and tells. */
export async function moveStep(
  tx: Settling,
  scope: EmpresaScope,
  key: StepKey,
  to: StepStatus,
  reason: BlockedReason | null = null,
): Promise<void> {
  const trigger = TRIGGERS[to]
  const before = (await lockEmisor(tx.sql, scope)) as EmpresaRow
  const step = (await listSteps(tx.sql, scope)).get(key) as StepRow
  const body_before = await readBody(tx, scope, before)
  await advance(tx.sql, onboardingStepMachine, scope, step.id, trigger)
  await saveMove(tx.sql, scope, { key, to, tipos: before.doc_types, at: tx.now() })
  if (reason) await saveBlock(tx.sql, scope, key, { blocked_reason: reason, next_poll_at: null, looks: 0 })
  const after = (await findEmisor(tx.sql, scope)) as EmpresaRow
  await tell(tx, scope, { before, after, body_before, moves: [{ key, trigger, to }] })
}

/** Closes a step that somebody did, or that the SII says is done, and opens what comes next. */
export async function finishStep(tx: Settling, scope: EmpresaScope, key: StepKey): Promise<void> {
  const step = (await listSteps(tx.sql, scope)).get(key)
  if (!step || isClosed(step.status)) return
  await moveStep(tx, scope, key, 'completed')
  await driveOnboarding(tx, scope)
}

/** Gives up on a step for now: a person has to look. */
export function failStep(tx: Settling, scope: EmpresaScope, key: StepKey, reason: BlockedReason): Promise<void> {
  return moveStep(tx, scope, key, 'failed', reason)
}

/** A step that was done, or that failed, begins again. */
export async function reopenStep(
  tx: Settling,
  scope: EmpresaScope,
  key: StepKey,
  reason: BlockedReason | null,
): Promise<void> {
  await moveStep(tx, scope, key, stepOf(key).actor === 'customer' ? 'action_required' : 'in_progress', reason)
  await driveOnboarding(tx, scope)
}
