import type { JobOutcome } from '../../../kernel/job.ts'
import { waitsFor } from '../../../kernel/job.ts'
import { SignerMissing, SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { executionOf, listSwitches } from '../../platform/onboarding/execution.ts'
import { isCurrent } from '../../platform/onboarding/finish.ts'
import { nextLook } from '../../platform/onboarding/follow.ts'
import { handOver } from '../../platform/onboarding/hand-over.ts'
import type { StepKey } from '../../platform/onboarding/lanes.ts'
import { findStep } from '../../platform/onboarding/open-step.ts'
import { CARRY_ATTEMPTS } from './jobs.ts'
import { applyOutcome } from './outcome.ts'
import type { Stage, StageContext, StageOutcome } from './stage.ts'
import { STAGES } from './stages.ts'

/** Acts of one run: whoever has more to do lets others have their turn. */
const MANY = 12

const FAILED_TOO_OFTEN = 'Algo falla de nuestro lado en este paso, una y otra vez: los registros dicen qué.'

/** What the SII would not answer waits; the step shows why. */
async function act(stage: Stage, at: StageContext): Promise<StageOutcome & { readonly waits_for?: string | null }> {
  try {
    return await stage(at)
  } catch (error) {
    if (error instanceof SiiUnreachable)
      return { outcome: 'wait', block: 'sii_unreachable', waits_for: waitsFor(error) }
    if (error instanceof SignerMissing) return { outcome: 'wait', block: 'certificate_missing' }
    throw error
  }
}

/** The step where it is the machine's to carry on; null where it is closed, failed, behind another, or a person's. */
async function openStep(ctx: JobContext, key: StepKey) {
  const empresa = await jobEmpresa(ctx)
  if (!empresa || empresa.row.status === 'archived') return null
  const step = await findStep(ctx.sql, empresa.scope, key)
  return step ? { ...empresa, step } : null
}

/**
 * Carries a step of a certification as far as it goes now. It runs again until the step closes, fails, or is handed to a
 * person; each run finds out by itself what was done before.
 */
export async function carryOn(ctx: JobContext, payload: { step: StepKey }): Promise<JobOutcome> {
  try {
    return await carry(ctx, payload.step)
  } catch (error) {
    const empresa = ctx.attempt < CARRY_ATTEMPTS ? null : await jobEmpresa(ctx)
    if (!empresa) throw error
    // Nobody looks for the dead letter of a job: the step itself has to say that it stands still.
    await ctx.transact((tx) => handOver(tx, empresa.scope, payload.step, FAILED_TOO_OFTEN))
    throw error
  }
}

async function carry(ctx: JobContext, key: StepKey): Promise<JobOutcome> {
  for (let acts = 0; acts < MANY; acts++) {
    const open = await openStep(ctx, key)
    if (!open) return 'done'
    const { scope, row, step } = open
    if (row.status === 'suspended') return { again_at: nextLook(Number.POSITIVE_INFINITY, ctx.now()) }
    // One that waits for a person is carried on once they decided.
    if (step.status !== 'in_progress' || !isCurrent(row, step)) return 'done'
    if (executionOf(key, await listSwitches(ctx), step) !== 'automatic') return 'done'
    const stage = STAGES[key]
    if (!stage) return 'done'
    const sii = ctx.ports.sii[scope.mode].certification
    const outcome: Awaited<ReturnType<typeof act>> = sii
      ? await act(stage, { ctx, scope, row, step, sii })
      : { outcome: 'operator', why: 'No hay conexión con el SII para certificar.' }
    if (outcome.outcome === 'again') continue
    const moved = acts > 0
    const again_at = await ctx.transact((tx) => applyOutcome(tx, scope, { row, step, moved }, outcome))
    if (again_at === null) return 'done'
    return { again_at, waits_for: outcome.waits_for ?? null }
  }
  return { again_at: ctx.now() }
}
