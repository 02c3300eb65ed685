import type { EvidenceAct } from '../../../../catalog/evidence.ts'
import { Problem } from '../../../../kernel/problem.ts'
import type { OperatorContext } from '../../../context.ts'
import { recordEvidence } from '../../evidence/record.ts'
import { blockedReason } from '../block.ts'
import { executionOf, executorsOf, listSwitches } from '../execution.ts'
import { failStep, finishStep, isCurrent, lockStep } from '../finish.ts'
import { giveBack, handOver } from '../hand-over.ts'
import { type StepKey, stepOf } from '../lanes.ts'
import { readOnboarding } from '../read.ts'
import type { Onboarding } from '../schema.ts'
import { isClosed } from '../settle.ts'
import { listSteps, type StepRow, saveAttestation } from '../store.ts'
import type { AutomaticStep, DoneStep, OnboardingWork, RefuseStep, TakeStep } from './schema.ts'
import { findWork, saveTaken, type WorkRow } from './store.ts'
import { showWork } from './work.ts'

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

/** `any`: what the job executes too. */
interface Whose {
  readonly any?: true
}

/**
 * A step that stands open with a person of ours, with the empresa locked: of two who act at one instant, the second finds
 * what the first made of it. Whoever revoked the mandato took our leave away: nothing is carried out meanwhile.
 */
async function lockOurs(ctx: OperatorContext, key: string, { any }: Whose = {}): Promise<StepRow> {
  const { row, step } = await lockStep(ctx, ctx.empresa, key)
  const details = { step: step.key, status: step.status }
  const ours = any
    ? executorsOf(step.key, ctx.ports).length > 0
    : executionOf(step.key, await listSwitches(ctx), step) === 'operator'
  if (!ours) throw new Problem('step_not_operators', { details })
  if (!isCurrent(row, step)) throw new Problem('step_not_open', { details })
  const { approval } = stepOf(step.key)
  if (step.status === 'action_required' && approval && step.approved_at === null) throw unapproved(step.key, details)
  if (step.status !== 'in_progress') throw new Problem('step_not_open', { details })
  return step
}

function checkHolder({ key, taken_by }: StepRow, by: string): void {
  if (taken_by !== null && taken_by !== by) throw new Problem('step_taken', { details: { step: key, taken_by } })
}

function witness(ctx: OperatorContext, step: StepKey, act: EvidenceAct, by: string): Promise<string> {
  const actor = { rut: null, name: by, role: null }
  return recordEvidence(ctx, ctx.empresa, { step, act, actor, document: null, ...ctx.origin })
}

/**
 * A person of ours takes a step in hand, from the job too: what the job had asked of the SII by then is recorded, and it does
 * nothing more. Taken again by the same person, nothing changes.
 */
export async function takeStep(
  ctx: OperatorContext,
  { step: key, by, instead_of }: TakeStep & { step: string },
): Promise<OnboardingWork> {
  const step = await lockOurs(ctx, key, { any: true })
  if (step.taken_by !== by) {
    checkHolder(step, instead_of ?? by)
    if (executionOf(step.key, await listSwitches(ctx), step) === 'automatic')
      await handOver(ctx, ctx.empresa, step.key, `${by} took it from the job.`)
    await saveTaken(ctx.sql, ctx.empresa, step.key, by, ctx.now())
    await witness(ctx, step.key, 'operator_took', by)
  }
  return showWork((await findWork(ctx.sql, ctx.empresa, step.key)) as WorkRow)
}

/** A person of ours gives a step back to the job that they, or the job itself, took it from. */
export async function giveBackStep(
  ctx: OperatorContext,
  { step: key, by }: AutomaticStep & { step: string },
): Promise<Onboarding> {
  const step = await lockOurs(ctx, key)
  checkHolder(step, by)
  if (executionOf(step.key, await listSwitches(ctx)) !== 'automatic')
    throw new Problem('step_not_automatic', { details: { step: step.key } })
  await witness(ctx, step.key, 'operator_gave_back', by)
  await giveBack(ctx, ctx.empresa, step.key)
  return readOnboarding(ctx)
}

/** A person of ours carried a step out. Where a fact of the empresa shows whether it was, their word alone closes nothing. */
export async function completeStep(
  ctx: OperatorContext,
  { step: key, by, note }: DoneStep & { step: string },
): Promise<Onboarding> {
  const step = await lockOurs(ctx, key)
  checkHolder(step, by)
  const done_at = ctx.now().toISOString()
  await saveAttestation(ctx.sql, ctx.empresa, step.key, { performed_by: by, done_at, note: note ?? null })
  await witness(ctx, step.key, 'operator_done', by)
  await finishStep(ctx, ctx.empresa, step.key)
  const after = (await listSteps(ctx.sql, ctx.empresa)).get(step.key)
  if (!isClosed(after?.status ?? 'pending')) throw new Problem('requirement_unmet', { details: { key: step.key } })
  return readOnboarding(ctx)
}

/** It could not be carried out: the customer reads why, and asks for another try when what was missing is there. */
export async function refuseStep(
  ctx: OperatorContext,
  { step: key, by, reason, details }: RefuseStep & { step: string },
): Promise<Onboarding> {
  const step = await lockOurs(ctx, key)
  checkHolder(step, by)
  await witness(ctx, step.key, 'operator_refused', by)
  const blocked = blockedReason('operator_refused', ctx.now(), null, {
    reason,
    ...(details !== undefined && { explanation: details }),
  })
  await failStep(ctx, ctx.empresa, step.key, { ...blocked, message: `${blocked.message} ${reason}` })
  return readOnboarding(ctx)
}
