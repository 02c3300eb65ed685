import { Problem } from '../../../../kernel/problem.ts'
import type { OperatorContext } from '../../../context.ts'
import { blockedReason } from '../block.ts'
import { executorsOf } from '../execution.ts'
import { failStep, isCurrent, lockStep, reopenStep } from '../finish.ts'
import type { StepKey } from '../lanes.ts'
import { readOnboarding } from '../read.ts'
import { recheckStep } from '../recheck.ts'
import type { Onboarding, Recheck } from '../schema.ts'
import { checkHolder, checkSeen, witness } from './ours.ts'
import type { ActOnStep } from './schema.ts'

/** A person of ours wants to know now what the SII says, or sets the job going that waits for its next look. */
export async function lookNow(
  ctx: OperatorContext,
  { step: key, seen }: ActOnStep & { step: string },
): Promise<Recheck> {
  const { row, step } = await lockStep(ctx, ctx.empresa, key)
  checkSeen(step, seen)
  if (!isCurrent(row, step) || step.status !== 'in_progress')
    throw new Problem('step_not_open', { details: { step: step.key, status: step.status } })
  return recheckStep(ctx, { step: key })
}

/**
 * Has a step begin again: one that failed, whose failure left nothing stale behind, or one that is under way: then it is given up
 * first, and `clear` sets aside what was made for it.
 */
export async function restartStep(
  ctx: OperatorContext,
  { step: key, by, seen }: ActOnStep & { step: string },
  clear: (step: StepKey) => Promise<void>,
): Promise<Onboarding> {
  const { row, step } = await lockStep(ctx, ctx.empresa, key)
  checkSeen(step, seen)
  const details = { step: step.key, status: step.status }
  if (executorsOf(step.key, ctx.ports).length === 0) throw new Problem('step_not_operators', { details })
  const under_way = step.status === 'in_progress'
  if (!isCurrent(row, step) || !(under_way || step.status === 'failed')) throw new Problem('step_not_open', { details })
  checkHolder(step, by)
  await witness(ctx, step.key, 'operator_restarted', by)
  if (under_way) {
    await clear(step.key)
    await failStep(ctx, ctx.empresa, step.key, blockedReason('operator_restarted', ctx.now(), null))
  }
  await reopenStep(ctx, ctx.empresa, step.key, null)
  return readOnboarding(ctx)
}
