import type { FolioRefusalReason } from '../../../catalog/folio-refusals.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Settling } from '../../reactions.ts'
import { blockedReason } from './block.ts'
import type { BlockName } from './copy.ts'
import { failStep } from './finish.ts'
import { lookAtStep } from './jobs.ts'
import { findStep, holdUp } from './open-step.ts'

interface Refused {
  readonly tipo_dte: number
  readonly sentence: string
  /** Why, where the SII said so. */
  readonly reason?: FolioRefusalReason
}

/**
 * What the SII says to whoever was authorised a moment ago, until all of its systems know it. That a person may not enter is
 * what it says of a tipo that is not open yet, too: whoever reads it may have to act, and it is asked again all the same.
 */
const NOT_YET: Readonly<Partial<Record<FolioRefusalReason, BlockName>>> = {
  not_authorised: 'folios_pending',
  company_not_authorised: 'folios_pending',
  tipo_not_enabled: 'folios_pending',
  user_not_authorised: 'folios_refused',
}
const PROPAGATION_SECONDS = 30 * 24 * 3600

/**
 * No first folios come of a tipo: the step stands still with the words of the SII, until somebody asks to look again. What may
 * be there tomorrow is asked for again unbidden. The empresa is locked.
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
  const not_yet = reason && NOT_YET[reason]
  if (!not_yet || !fresh) return failStep(tx, scope, 'folios', blockedReason('folios_refused', tx.now(), null, details))
  const due_at = await holdUp(tx, scope, step, not_yet, details)
  const { empresa_id } = scope
  const key = `${empresa_id}:folios:again`
  await tx.enqueue(lookAtStep, { payload: { step: 'folios', once: true }, key, due_at, empresa_id })
}
