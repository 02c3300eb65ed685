import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { refuseClosed } from './decide.ts'
import { refuseLocked } from './lock.ts'
import type { RcvRow } from './row.ts'
import type { EntryPath } from './schema.ts'
import { lockPurchases } from './store.ts'

/** A purchase to decide about, held until the transaction ends. */
export async function holdOpen(ctx: EmpresaContext, { entry_id }: EntryPath): Promise<RcvRow> {
  const [row] = await lockPurchases(ctx.sql, ctx.empresa, [entry_id])
  if (!row) throw new Problem('rcv_entry_not_found')
  await refuseLocked(ctx.sql, ctx.empresa, row.period)
  refuseClosed(row)
  return row
}
