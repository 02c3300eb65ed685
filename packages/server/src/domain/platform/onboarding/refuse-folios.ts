import type { FolioRefusalReason } from '../../../catalog/folio-refusals.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Settling } from '../../reactions.ts'
import { blockedReason } from './block.ts'
import { failStep } from './finish.ts'
import { lookAtStep } from './jobs.ts'
import { findStep, holdUp } from './open-step.ts'

interface Refused {
  readonly tipo_dte: number
  readonly sentence: string
  /** Why, where the SII said so. */
  readonly reason?: FolioRefusalReason
}

/** What the SII says to whoever was authorised a moment ago, until all of its systems know it. */
const NOT_YET: readonly FolioRefusalReason[] = ['not_authorised', 'company_not_authorised', 'tipo_not_enabled']
const PROPAGATION_SECONDS = 30 * 24 * 3600

/**
 * No first folios come of a tipo: the step stands still with the words of the SII, until somebody asks to look again. What may
 * be there tomorrow is asked for again unbidden.
 */
export async function refuseFirstFolios(
  tx: Settling,
  scope: EmpresaScope,
  { tipo_dte, sentence, reason }: Refused,
): Promise<void> {
  const step = await findStep(tx.sql, scope, 'folios')
  if (step?.status !== 'in_progress') return
  const details = { tipo_dte, sentence }
  const fresh = step.opened_at !== null && secondsFrom(step.opened_at, PROPAGATION_SECONDS) > tx.now()
  if (reason === undefined || !NOT_YET.includes(reason) || !fresh)
    return failStep(tx, scope, 'folios', blockedReason('folios_refused', tx.now(), null, details))
  const due_at = await holdUp(tx, scope, step, 'folios_pending', details)
  const { empresa_id } = scope
  const key = `${empresa_id}:folios:again`
  await tx.enqueue(lookAtStep, { payload: { step: 'folios', once: true }, key, due_at, empresa_id })
}
