import { santiagoDate } from '@timbre/dte/values'
import { FOLIOS } from '../../../catalog/limits.ts'
import { MODES } from '../../../catalog/modes.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import { requestFile } from './fetch-file.ts'
import { keepCaf } from './keep-caf.ts'
import { readStock } from './stock-store.ts'
import { findEmisor, lockEmisor } from './store.ts'

export type Granting = Pick<JobContext, 'sql' | 'now' | 'ports' | 'transact'>

/** Whole thousands: what is asked for by itself is never one of the sandbox's magic quantities. */
function quantityFor(wanted: number): number {
  return Math.ceil(wanted / FOLIOS.granted_on_demand) * FOLIOS.granted_on_demand
}

/**
 * One range right after the highest folio ever granted, unless another worker granted one meanwhile. False when there
 * is no such empresa any more.
 */
async function grant(ctx: Granting, scope: EmpresaScope, tipo_dte: number, wanted: number): Promise<boolean> {
  const emisor = await findEmisor(ctx.sql, scope)
  if (!emisor) return false
  const { legal_name } = emisor
  const quantity = quantityFor(wanted)
  const answer = await requestFile(ctx, scope, { legal_name, tipo_dte, quantity, resolucion_numero: 0 })
  if (!('caf' in answer)) throw new Error(`the sandbox granted no folios of tipo ${tipo_dte}: ${answer.sentence}`)
  // Whoever granted one meanwhile took the same folios, so of two ranges the first is kept.
  return ctx.transact(async (tx) => {
    if (!(await lockEmisor(tx.sql, scope))) return false
    await keepCaf(tx, scope, answer, 'sandbox')
    return true
  })
}

/**
 * Where folios come by themselves (test mode), sees to it that a draw of `wanted` finds as many; elsewhere it does
 * nothing. Called before the transaction that draws, never inside one: the range is asked of the SII of the sandbox.
 * Nothing is told of it. Another worker may draw in between: whoever gets fewer than it wanted calls this again.
 */
export async function ensureFolios(
  ctx: Granting,
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
