import type { EmpresaContext } from '../../context.ts'
import { checkDecision, decide, decidedRow } from './decide.ts'
import type { Decided } from './decide-store.ts'
import { showWhole } from './list.ts'
import { holdOpen } from './lock-entries.ts'
import type { RcvRow } from './row.ts'
import type { Characterize, EntryPath, RcvEntry } from './schema.ts'

/** Decides and answers with the entry as it is now. */
export async function decideOne(ctx: EmpresaContext, row: RcvRow, decided: Decided): Promise<RcvEntry> {
  const [saved] = await decide(ctx, ctx.empresa, [row], [decided])
  return showWhole(ctx, saved ?? row)
}

/** Says what a purchase was for. It holds here at once, and the SII is told after. */
export async function characterizePurchase(ctx: EmpresaContext, input: EntryPath & Characterize): Promise<RcvEntry> {
  checkDecision(input)
  const row = await holdOpen(ctx, input)
  return decideOne(ctx, row, decidedRow(row, input, 'caller'))
}

/** Back to what the SII showed before anybody here decided. One that nobody decided about stays as it is. */
export async function revertPurchase(ctx: EmpresaContext, input: EntryPath): Promise<RcvEntry> {
  const row = await holdOpen(ctx, input)
  if (row.characterized_by === 'sii' || row.before === null) return showWhole(ctx, row)
  return decideOne(ctx, row, revertedRow(row, row.before))
}

/** Where it belongs only moves back if the decision is what moved it: the SII may have registered it meanwhile. */
export function revertedRow(row: RcvRow, before: NonNullable<RcvRow['before']>): Decided {
  const moved = row.estado_contable === 'NO_INCLUIR' || before.estado_contable === 'NO_INCLUIR'
  const estado_contable = moved ? before.estado_contable : row.estado_contable
  const put_off = estado_contable === 'PENDIENTE' && before.estado_contable !== 'PENDIENTE'
  return { ...before, id: row.id, estado_contable, characterized_by: 'sii', before: put_off ? before : null }
}
