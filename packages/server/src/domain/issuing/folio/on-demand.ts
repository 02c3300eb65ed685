import { santiagoDate } from '@timbre/dte/values'
import { FOLIOS } from '../../../catalog/limits.ts'
import { MODES } from '../../../catalog/modes.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import { findEmisor, lockEmisor } from '../../platform/empresa/emisor.ts'
import { fetchCaf } from './fetch-caf.ts'
import { saveCaf } from './save-caf.ts'
import { readStock } from './store.ts'

type OnDemandContext = Pick<JobContext, 'sql' | 'now' | 'ports' | 'transact'>

/** Whole thousands: so a request of ours is never one of the sandbox's magic quantities. */
function quantityFor(wanted: number): number {
  return Math.ceil(wanted / FOLIOS.granted_on_demand) * FOLIOS.granted_on_demand
}

/**
 * Grants one range right after the highest folio ever granted, unless another worker did so meanwhile. False when the
 * empresa is gone.
 */
async function grant(ctx: OnDemandContext, scope: EmpresaScope, tipo_dte: number, wanted: number): Promise<boolean> {
  const emisor = await findEmisor(ctx.sql, scope)
  if (!emisor) return false
  const { legal_name } = emisor
  const quantity = quantityFor(wanted)
  const answer = await fetchCaf(ctx, scope, { legal_name, tipo_dte, quantity, resolucion_numero: 0 })
  if (!('caf' in answer)) throw new Error(`the sandbox granted no folios of tipo ${tipo_dte}: ${answer.sentence}`)
  // Another worker that granted one meanwhile took the same folios, so of two ranges the first stays.
  return ctx.transact(async (tx) => {
    if (!(await lockEmisor(tx.sql, scope))) return false
    await saveCaf(tx, scope, answer, 'sandbox')
    return true
  })
}

/**
 * Where folios are granted on demand (test mode), sees to it that a draw of `wanted` finds as many; elsewhere it does
 * nothing. Called before the transaction that draws, never inside one: the range comes from the SII of the sandbox.
 * It emits nothing. Another worker may draw in between: a caller that gets fewer than it wanted calls this again.
 */
export async function ensureFolios(
  ctx: OnDemandContext,
  scope: EmpresaScope,
  tipo_dte: number,
  wanted: number,
): Promise<void> {
  if (!MODES[scope.mode].folios_on_demand) return
  for (let exists = true; exists; ) {
    const { remaining } = await readStock(ctx.sql, scope, tipo_dte, santiagoDate(ctx.now()))
    if (remaining >= wanted) return
    exists = await grant(ctx, scope, tipo_dte, wanted)
  }
}
