import { MODES } from '../../../catalog/modes.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Settling } from '../../reactions.ts'
import { dayAndHour } from '../subscription/copy.ts'
import { RECHECKS } from './copy.ts'
import { driveOnboarding } from './drive.ts'
import { lockStep, reopenStep } from './finish.ts'
import { lookAtStep } from './jobs.ts'
import { stepOf } from './lanes.ts'
import type { Recheck } from './schema.ts'
import { isClosed } from './settle.ts'
import { saveDecision, saveRecheck } from './store.ts'

/** Asking twice within a minute looks once: people press a button again. */
const ONCE_IN_SECONDS = 60

/** The look that was asked for is due since then; once it is over, the next one lies ahead. */
const messageOf = (next: Date | null, now: Date) =>
  next && next > now ? RECHECKS.looked_already(dayAndHour(next)) : RECHECKS.looked

/** A person says that a step is done: the SII is asked now instead of at the next look. */
export async function recheckStep(
  ctx: Settling & { readonly empresa: EmpresaScope },
  { step: key }: { step: string },
): Promise<Recheck> {
  const { step } = await lockStep(ctx, ctx.empresa, key)
  if (isClosed(step.status) || step.status === 'pending')
    throw new Problem('step_not_open', { details: { step: step.key, status: step.status } })
  const answer = { object: 'onboarding_recheck', step: step.key } as const
  const next_poll_at = step.next_poll_at?.toISOString() ?? null
  if (step.status === 'failed') {
    await reopenStep(ctx, ctx.empresa, step.key, null)
    return { ...answer, message: RECHECKS.again, next_poll_at }
  }
  // Whoever declined what was prepared had something changed: it is prepared anew, and they are asked again.
  const declined = step.status === 'action_required' && step.approval?.decision === 'decline'
  if (declined && (await ctx.reactions.dropMaterial(ctx, ctx.empresa, step.key))) {
    await saveDecision(ctx.sql, ctx.empresa, step.key, null, null)
    await driveOnboarding(ctx, ctx.empresa)
    return { ...answer, message: RECHECKS.again, next_poll_at }
  }
  const carried_out = stepOf(step.key).carried_out_at_sii && step.status === 'in_progress'
  if (!stepOf(step.key).probe && !carried_out) {
    await driveOnboarding(ctx, ctx.empresa)
    return { ...answer, message: RECHECKS.nothing_to_look_at, next_poll_at }
  }
  const now = ctx.now()
  if (step.rechecked_at && secondsFrom(step.rechecked_at, ONCE_IN_SECONDS) > now)
    return { ...answer, message: messageOf(step.next_poll_at, now), next_poll_at }
  // Nobody stands behind the steps of a rehearsal: no look will come.
  const rehearses = MODES[ctx.empresa.mode].rehearses_onboarding
  await saveRecheck(ctx.sql, ctx.empresa, step.key, { rechecked_at: now, next_poll_at: rehearses ? null : now })
  if (rehearses) return { ...answer, message: RECHECKS.looking, next_poll_at: null }
  const payload = { step: step.key, once: true } as const
  if (carried_out) await ctx.reactions.certificationStepOpen(ctx, ctx.empresa, { ...step, next_poll_at: null })
  else await ctx.enqueue(lookAtStep, { payload, key: `${ctx.empresa.empresa_id}:${step.key}:now` })
  return { ...answer, message: RECHECKS.looking, next_poll_at: now.toISOString() }
}
