import type { OperatorContext } from '../../../context.ts'
import { restartStep } from '../../../platform/onboarding/operator/begin-again.ts'
import type { ActOnStep } from '../../../platform/onboarding/operator/schema.ts'
import type { Onboarding } from '../../../platform/onboarding/schema.ts'
import { supersedeUnapproved } from './store.ts'

/** Has a step begin again: what the SII has not approved by then is made anew, with other folios. */
export function restartCertification(ctx: OperatorContext, input: ActOnStep & { step: string }): Promise<Onboarding> {
  return restartStep(ctx, input, (step) => supersedeUnapproved(ctx.sql, ctx.empresa, step, ctx.now()))
}
