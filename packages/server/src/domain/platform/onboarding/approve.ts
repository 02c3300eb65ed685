import { Problem } from '../../../kernel/problem.ts'
import { requireScope } from '../../../kernel/require-scope.ts'
import type { EmpresaContext } from '../../context.ts'
import { decideStep } from './decide.ts'
import { isStepKey, stepOf } from './lanes.ts'
import { readOnboarding } from './read.ts'
import type { ApproveStep, GoLive, Onboarding } from './schema.ts'
import { askTitular } from './write-letter.ts'

/** Records what the titular or the representante decided elsewhere. Going live has a call of its own, behind the subscription. */
export async function approveStep(
  ctx: EmpresaContext,
  { step, ...decision }: ApproveStep & { step: string },
): Promise<Onboarding> {
  if (isStepKey(step) && stepOf(step).approval?.act === 'go_live')
    throw new Problem('step_not_awaiting_approval', {
      message: 'Going live is decided with POST /empresas/{empresa_id}/onboarding/go_live.',
    })
  await decideStep(ctx, ctx.empresa, step, { ...decision, origin: ctx.origin })
  return readOnboarding(ctx)
}

/** Asks the titular to approve that the empresa emits, or records the decision. */
export async function goLive(ctx: EmpresaContext, { decision, approved_by, reason }: GoLive): Promise<Onboarding> {
  if (decision !== undefined) requireScope(ctx.caller, 'onboarding:attest')
  const { blocked_on, status } = await readOnboarding(ctx)
  if (status === 'emitting') throw new Problem('step_not_awaiting_approval', { message: 'The empresa emits already.' })
  if (blocked_on !== 'emitting')
    throw new Problem('requirement_unmet', {
      message: `Going live waits for the step ${blocked_on}.`,
      details: { key: blocked_on },
    })
  if (decision === undefined) {
    await askTitular(ctx)
    return readOnboarding(ctx)
  }
  if (approved_by === undefined)
    throw new Problem('invalid_field', { param: 'approved_by', message: 'approved_by: say who decided.' })
  await decideStep(ctx, ctx.empresa, 'emitting', {
    decision,
    approved_by,
    ...(reason !== undefined && { reason }),
    origin: ctx.origin,
  })
  return readOnboarding(ctx)
}
