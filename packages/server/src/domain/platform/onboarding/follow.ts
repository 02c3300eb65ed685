import { MODES } from '../../../catalog/modes.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Settling } from '../../reactions.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { blockedReason } from './block.ts'
import { executionOf, listSwitches } from './execution.ts'
import { tiposWithFolios } from './facts.ts'
import { lookAtStep } from './jobs.ts'
import { type StepKey, stepOf } from './lanes.ts'
import { requestLetter } from './letters.ts'
import { currentStep } from './status.ts'
import { listSteps, type StepRow, saveBlock } from './store.ts'
import { walkOf } from './walk.ts'

/** Seconds between looks at the SII; the last one repeats. A person who says that it is done is looked after at once. */
const LOOKS = [60, 300, 900, 3600, 4 * 3600, 12 * 3600, 24 * 3600]

/** What was done is looked at again this often: the SII takes permissions away without telling anybody. */
export const LOOK_AGAIN_SECONDS = 7 * 24 * 3600

export function nextLook(looks: number, now: Date): Date {
  return secondsFrom(now, LOOKS[Math.min(looks, LOOKS.length - 1)] as number)
}

async function askTheSii(tx: Settling, scope: EmpresaScope, step: StepRow): Promise<void> {
  if (step.next_poll_at !== null) return
  const due_at = nextLook(0, tx.now())
  await saveBlock(tx.sql, scope, step.key, { ...step, next_poll_at: due_at })
  const payload = { step: step.key }
  await tx.enqueue(lookAtStep, {
    payload,
    key: `${scope.empresa_id}:${step.key}`,
    due_at,
    empresa_id: scope.empresa_id,
  })
}

async function bringFolios(tx: Settling, scope: EmpresaScope, row: EmpresaRow, step: StepRow): Promise<void> {
  const missing = await tx.reactions.requestFirstFolios(tx, scope, tiposWithFolios(row))
  const details = { tipos: missing }
  await saveBlock(tx.sql, scope, step.key, {
    ...step,
    blocked_reason: blockedReason('folios_pending', tx.now(), step.blocked_reason, details),
  })
}

/** What the SII said of the resolución that was declared stands beside the step that it gives back. */
async function explainClaim(tx: Settling, scope: EmpresaScope, row: EmpresaRow, step: StepRow): Promise<void> {
  if (row.resolucion_status !== 'refused') return
  const reason = blockedReason('resolucion_claim', tx.now(), step.blocked_reason, { sentence: row.resolucion_refusal })
  await saveBlock(tx.sql, scope, step.key, { ...step, blocked_reason: reason })
}

const FOLLOWED: Readonly<Partial<Record<StepKey, typeof bringFolios>>> = {
  folios: async (tx, scope, row, step) => {
    const ours = step.status === 'in_progress' && executionOf('folios', await listSwitches(tx), step) === 'automatic'
    if (ours) await bringFolios(tx, scope, row, step)
  },
  sii_postulacion: explainClaim,
}

/** Whether a job carries a step out at the SII: not while it waits for a person. */
async function isJobs(tx: Settling, step: StepRow): Promise<boolean> {
  if (!stepOf(step.key).carried_out_at_sii || step.status !== 'in_progress') return false
  return executionOf(step.key, await listSwitches(tx), step) === 'automatic'
}

/** Sees to what the open step waits for: a question to the SII, folios, a word of explanation, a person. */
export async function follow(tx: Settling, scope: EmpresaScope, row: EmpresaRow): Promise<void> {
  // Nobody stands behind the steps of a rehearsal.
  if (MODES[row.mode].rehearses_onboarding) return
  const walk = walkOf(row)
  const current = walk && currentStep(walk)
  const step = current && (await listSteps(tx.sql, scope)).get(current)
  if (!step || (step.status !== 'in_progress' && step.status !== 'action_required')) return
  await FOLLOWED[step.key]?.(tx, scope, row, step)
  if (stepOf(step.key).probe) await askTheSii(tx, scope, step)
  if (await isJobs(tx, step)) await tx.reactions.certificationStepOpen(tx, scope, step)
  if (step.status === 'action_required') await requestLetter(tx, scope, row, step)
}
