import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { PageContext } from '../../context.ts'
import { recordEvidence } from '../evidence/record.ts'
import { finishStep, isCurrent, lockStep } from './finish.ts'
import { stepOf } from './lanes.ts'
import { readOnboarding } from './read.ts'
import type { AttestStep, Onboarding } from './schema.ts'
import { saveAttestation } from './store.ts'

/** Records that a person did at the SII what nothing can show. The evidence says who, and who says so. */
export async function attestStep(
  ctx: PageContext,
  { step: key, performed_by, done_at, note }: AttestStep & { step: string },
): Promise<Onboarding> {
  const { row, step } = await lockStep(ctx, ctx.empresa, key)
  const { attestable, performed_by: role } = stepOf(step.key)
  const details = { step: step.key, status: step.status }
  if (!attestable) throw new Problem('step_not_attestable', { details })
  if (!isCurrent(row, step)) throw new Problem('step_not_open', { details })
  if (performed_by.role !== role)
    throw new Problem('approval_role_required', { param: 'performed_by.role', details: { ...details, role } })
  const now = ctx.now()
  if (done_at !== undefined && new Date(done_at) > now) throw invalidField('done_at', 'it must not be in the future.')
  await recordEvidence(ctx, ctx.empresa, {
    step: step.key,
    act: 'step_attested',
    actor: performed_by,
    document: null,
    ...ctx.origin,
  })
  await saveAttestation(ctx.sql, ctx.empresa, step.key, {
    performed_by,
    done_at: done_at ?? now.toISOString(),
    note: note ?? null,
  })
  await finishStep(ctx, ctx.empresa, step.key)
  return readOnboarding(ctx)
}
