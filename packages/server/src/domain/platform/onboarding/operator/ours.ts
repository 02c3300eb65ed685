import { createHash } from 'node:crypto'
import type { EvidenceAct } from '../../../../catalog/evidence.ts'
import { Problem } from '../../../../kernel/problem.ts'
import type { OperatorContext } from '../../../context.ts'
import { recordEvidence } from '../../evidence/record.ts'
import { executionOf, executorsOf, listSwitches } from '../execution.ts'
import { isCurrent, lockStep } from '../finish.ts'
import { type StepKey, stepOf } from '../lanes.ts'
import type { StepRow } from '../store.ts'

type StepState = Pick<StepRow, 'key' | 'status' | 'moves' | 'taken_by' | 'handed_over'>

/** What a step that a person has to authorise first answers until they did. */
function unapproved(key: StepKey, details: object): Problem {
  const { approval } = stepOf(key)
  const role = { ...details, role: approval?.role }
  if (approval?.act === 'muestras_revision') return new Problem('muestras_approval_required', { details: role })
  return new Problem('step_not_open', {
    message: `The step waits for the approval of ${approval?.role}.`,
    details: role,
  })
}

/** Changes whenever a step moves or changes hands. */
export function versionOf({ key, moves, taken_by, handed_over }: Omit<StepState, 'status'>): string {
  const facts = JSON.stringify([key, moves, taken_by, handed_over?.at ?? null])
  return createHash('sha256').update(facts).digest('base64url').slice(0, 22)
}

/** What somebody decided on another page than there is now is not done. */
export function checkSeen(step: StepState, seen: string | undefined): void {
  if (seen !== undefined && seen !== versionOf(step))
    throw new Problem('step_changed', { details: { step: step.key, status: step.status } })
}

interface Wanted {
  /** What the job executes too. */
  readonly any?: true
  /** What was handed over while it was made ready, which nobody has approved yet, too. */
  readonly in_preparation?: true
  /** The version that whoever acts has seen. */
  readonly seen?: string | undefined
}

/**
 * A step that stands open with a person of ours, with the empresa locked: of two who act at one instant, the second finds
 * what the first made of it. Whoever revoked the mandato took our leave away: nothing is carried out meanwhile.
 */
export async function lockOurs(
  ctx: OperatorContext,
  key: string,
  { any, in_preparation, seen }: Wanted,
): Promise<StepRow> {
  const { row, step } = await lockStep(ctx, ctx.empresa, key)
  checkSeen(step, seen)
  const details = { step: step.key, status: step.status }
  const ours = any
    ? executorsOf(step.key, ctx.ports).length > 0
    : executionOf(step.key, await listSwitches(ctx), step) === 'operator'
  if (!ours) throw new Problem('step_not_operators', { details })
  if (!isCurrent(row, step)) throw new Problem('step_not_open', { details })
  if (in_preparation && step.status === 'action_required' && step.handed_over) return step
  const { approval } = stepOf(step.key)
  const waits = step.status === 'action_required' || step.status === 'in_progress'
  if (waits && approval && step.approved_at === null) throw unapproved(step.key, details)
  if (step.status !== 'in_progress') throw new Problem('step_not_open', { details })
  return step
}

export function checkHolder({ key, taken_by }: StepRow, by: string): void {
  if (taken_by !== null && taken_by !== by) throw new Problem('step_taken', { details: { step: key, taken_by } })
}

export function witness(ctx: OperatorContext, step: StepKey, act: EvidenceAct, by: string): Promise<string> {
  const actor = { rut: null, name: by, role: null }
  return recordEvidence(ctx, ctx.empresa, { step, act, actor, document: null, ...ctx.origin })
}
