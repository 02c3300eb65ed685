import { type Static, Type } from 'typebox'
import { invalidField, Problem } from '../../../kernel/problem.ts'
import { Closed, OneOf, Opaque } from '../../../kernel/schema.ts'
import type { EmpresaContext } from '../../context.ts'
import { blockedReason } from './block.ts'
import type { BlockName } from './copy.ts'
import { driveOnboarding } from './drive.ts'
import { finishStep, isCurrent, lockStep, moveStep } from './finish.ts'
import { type StepKey, stepOf } from './lanes.ts'
import { readOnboarding } from './read.ts'
import { BLOCKED_CODES, type BlockedCode, type BlockedReason, type Onboarding } from './schema.ts'
import { isClosed, type StepStatus } from './settle.ts'
import { type StepRow, saveBlock } from './store.ts'
import { tellChange } from './tell-change.ts'

const MOVES = [
  'in_progress',
  'action_required',
  'completed',
  'failed',
  'skipped',
] as const satisfies readonly StepStatus[]

export const RehearseStep = Closed({
  step: Opaque(40, { description: 'Key of a step of the rehearsal.' }),
  status: OneOf(MOVES),
  blocked_reason: Type.Optional(
    OneOf(BLOCKED_CODES, { description: 'The code of what holds it up, of a step that is not closed.' }),
  ),
})
export type RehearseStep = Static<typeof RehearseStep>

/** The sentence that a code is told with, where its step has none of its own. */
const SENTENCES: Readonly<Record<BlockedCode, BlockName>> = {
  sii_unreachable: 'sii_unreachable',
  sii_propagation: 'sii_propagation',
  requirement_unmet: 'certificate_missing',
  resolucion_claim: 'resolucion_claim',
  approval_declined: 'approval_declined',
  operator_refused: 'operator_refused',
  sii_review: 'sii_reviewing',
  sii_refused: 'sii_refused',
  preflight_failed: 'preflight_failed',
}
const UNMET: Readonly<Partial<Record<StepKey, BlockName>>> = {
  usuario_autorizado: 'user_not_authorised',
  emisor_verificado: 'emitter_not_authorised',
  folios: 'folios_refused',
}

function reasonOf(key: StepKey, code: BlockedCode | undefined, status: StepStatus, now: Date): BlockedReason | null {
  const said = code ?? (status === 'failed' ? 'operator_refused' : undefined)
  if (said === undefined) return null
  return blockedReason((said === 'requirement_unmet' && UNMET[key]) || SENTENCES[said], now, null)
}

/** What the world never does to a step, a helper does not either. */
function check({ key, status: from }: StepRow, to: StepStatus, current: boolean): void {
  const { actor, approval } = stepOf(key)
  if (to === 'action_required' && actor !== 'customer' && !approval)
    throw invalidField('status', `${key} waits for no person.`)
  const details = { step: key, status: from }
  // Steps open in their order, and what was done may have to be done again.
  if (!isClosed(to) && !current && !isClosed(from)) throw new Problem('step_not_open', { details })
  if (to === 'failed' && isClosed(from)) throw new Problem('step_not_open', { details })
  if (to === 'skipped' && from === 'completed') throw new Problem('step_not_open', { details })
}

/** Moves one step of a rehearsal as the world would: what comes next opens by itself, and everything is told. */
export async function rehearseStep(
  ctx: EmpresaContext,
  { step: key, status: to, blocked_reason: code }: RehearseStep,
): Promise<Onboarding> {
  const { row, step } = await lockStep(ctx, ctx.empresa, key)
  if (code !== undefined && isClosed(to))
    throw invalidField('blocked_reason', 'nothing holds up a step that is closed.')
  check(step, to, isCurrent(row, step))
  const reason = reasonOf(step.key, code, to, ctx.now())
  if (to === 'completed') await finishStep(ctx, ctx.empresa, step.key)
  else if (to === step.status)
    await tellChange(ctx, ctx.empresa, () =>
      saveBlock(ctx.sql, ctx.empresa, step.key, { ...step, blocked_reason: reason }),
    )
  else {
    await moveStep(ctx, ctx.empresa, step.key, to, reason)
    await driveOnboarding(ctx, ctx.empresa)
  }
  return readOnboarding(ctx)
}
