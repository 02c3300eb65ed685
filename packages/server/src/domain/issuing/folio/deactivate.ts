import { santiagoDate } from '@timbre/dte/values'
import { advance } from '../../../kernel/advance.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { cafMachine } from './machine.ts'
import { stockOf, tellOfFall } from './stock-alerts.ts'
import { lockChain } from './stock-store.ts'
import { findCaf, lockCaf, noteDeactivated } from './store.ts'

/**
 * Puts a CAF away: no document gets a folio of it any more. It stays readable and keeps its folios, which the SII may
 * want annulled. Doing it twice changes nothing.
 */
export async function deactivateCaf(ctx: EmpresaContext, { caf_id }: { caf_id: string }): Promise<null> {
  const found = await findCaf(ctx.sql, ctx.empresa, caf_id)
  if (!found) throw new Problem('caf_not_found')
  const on = santiagoDate(ctx.now())
  // Held before it is judged, in the order in which a draw holds them.
  const chain = await lockChain(ctx.sql, ctx.empresa, found.tipo_dte, on)
  const row = await lockCaf(ctx.sql, ctx.empresa, caf_id)
  if (row?.status !== 'active') return null
  await advance(ctx.sql, cafMachine, ctx.empresa, caf_id, 'deactivated')
  await noteDeactivated(ctx.sql, ctx.empresa, caf_id, ctx.now())
  const left = stockOf(chain.filter(({ id }) => id !== caf_id))
  await tellOfFall(ctx, ctx.empresa, on, chain, left)
  return null
}
