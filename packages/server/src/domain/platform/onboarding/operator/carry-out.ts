import { Problem } from '../../../../kernel/problem.ts'
import type { OperatorContext } from '../../../context.ts'
import { blockedReason } from '../block.ts'
import { executionOf, listSwitches } from '../execution.ts'
import { failStep, finishStep } from '../finish.ts'
import { giveBack, handOver } from '../hand-over.ts'
import { readOnboarding } from '../read.ts'
import type { Onboarding } from '../schema.ts'
import { isClosed } from '../settle.ts'
import { listSteps, saveAttestation } from '../store.ts'
import { checkHolder, lockOurs, witness } from './ours.ts'
import type { ActOnStep, DoneStep, OnboardingWork, RefuseStep, TakeStep } from './schema.ts'
import { findWork, saveTaken, type WorkRow } from './store.ts'
import { showWork } from './work.ts'

/**
 * A person of ours takes a step in hand, from the job too: what the job had asked of the SII by then is recorded, and it does
 * nothing more. Taken again by the same person, nothing changes.
 */
export async function takeStep(
  ctx: OperatorContext,
  { step: key, by, seen, instead_of }: TakeStep & { step: string },
): Promise<OnboardingWork> {
  const step = await lockOurs(ctx, key, { seen, any: true })
  if (step.taken_by !== by) {
    checkHolder(step, instead_of ?? by)
    if (executionOf(step.key, await listSwitches(ctx), step) === 'automatic')
      await handOver(ctx, ctx.empresa, step.key, `Lo tomó ${by}.`)
    await saveTaken(ctx.sql, ctx.empresa, step.key, by, ctx.now())
    await witness(ctx, step.key, 'operator_took', by)
  }
  return showWork((await findWork(ctx.sql, ctx.empresa, step.key)) as WorkRow)
}

/** A person of ours gives a step back to the job that they, or the job itself, took it from. */
export async function giveBackStep(
  ctx: OperatorContext,
  { step: key, by, seen }: ActOnStep & { step: string },
): Promise<Onboarding> {
  const step = await lockOurs(ctx, key, { seen, in_preparation: true })
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
  { step: key, by, seen, note }: DoneStep & { step: string },
): Promise<Onboarding> {
  const step = await lockOurs(ctx, key, { seen })
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
  { step: key, by, seen, reason, details }: RefuseStep & { step: string },
): Promise<Onboarding> {
  const step = await lockOurs(ctx, key, { seen })
  checkHolder(step, by)
  await witness(ctx, step.key, 'operator_refused', by)
  const blocked = blockedReason('operator_refused', ctx.now(), null, {
    reason,
    ...(details !== undefined && { explanation: details }),
  })
  await failStep(ctx, ctx.empresa, step.key, { ...blocked, message: `${blocked.message} ${reason}` })
  return readOnboarding(ctx)
}
