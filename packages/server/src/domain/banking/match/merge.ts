import { invalidField, Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { separate, takeForOne } from '../movement/same.ts'
import { askForReview } from '../review/ask.ts'
import { withdrawAbout } from '../suggestion/withdraw.ts'
import { showWhole } from './list.ts'
import type { MovementRow } from './row.ts'
import type { MergeMovement, MovementPath, MovementWithCandidates } from './schema.ts'
import { findMovement, forgetApart, lockMovement, rememberApart } from './store.ts'

function notMergeable(reason: string): Problem {
  return new Problem('movement_not_mergeable', { details: { reason } })
}

/** Both, held in one order whoever asks: of two that say the opposite at once one comes second. */
async function holdBoth(ctx: EmpresaContext, movement_id: string, into: string): Promise<[MovementRow, MovementRow]> {
  const held = new Map<string, MovementRow>()
  for (const id of [movement_id, into].sort()) {
    const row = await lockMovement(ctx.sql, ctx.empresa, id)
    if (row) held.set(id, row)
  }
  const [row, other] = [held.get(movement_id), held.get(into)]
  if (!row) throw new Problem('movement_not_found')
  if (!other) throw invalidField('into', 'no movement of this empresa has this id.')
  if (movement_id === into) throw invalidField('into', 'a movement is always itself.')
  return [row, other]
}

function refuseUnlike(row: MovementRow, other: MovementRow): void {
  if (row.duplicate_certain || other.duplicate_certain) throw notMergeable('merged')
  if (row.removed_at !== null || other.removed_at !== null) throw notMergeable('removed')
  const suspected = row.duplicate_of === other.id || other.duplicate_of === row.id
  const differs = row.amount !== other.amount || row.currency !== other.currency
  if (differs && !suspected) throw notMergeable('amount_differs')
  if (row.match !== null) throw notMergeable('matched')
}

/** Says that two movements are one: this one is left out of lists and expenses from now on. */
export async function mergeMovement(
  ctx: EmpresaContext,
  { movement_id, into }: MovementPath & MergeMovement,
): Promise<MovementWithCandidates> {
  const { sql, empresa } = ctx
  const [row, other] = await holdBoth(ctx, movement_id, into)
  if (row.duplicate_certain && row.duplicate_of === into) return showWhole(ctx, row)
  refuseUnlike(row, other)
  await forgetApart(sql, empresa, movement_id, into)
  await forgetApart(sql, empresa, into, movement_id)
  await takeForOne(sql, empresa, { id: movement_id, of: into }, ctx.now())
  await withdrawAbout(ctx, empresa, [movement_id], 'movement_removed')
  return showWhole(ctx, (await findMovement(sql, empresa, movement_id)) as MovementRow)
}

/** Says that a movement is no duplicate, and remembers it: it counts again, and is not taken for the other one unasked. */
export async function unmergeMovement(
  ctx: EmpresaContext,
  { movement_id }: MovementPath,
): Promise<MovementWithCandidates> {
  const { sql, empresa } = ctx
  const row = await lockMovement(sql, empresa, movement_id)
  if (!row) throw new Problem('movement_not_found')
  const { duplicate_of } = row
  if (duplicate_of === null) return showWhole(ctx, row)
  await rememberApart(sql, empresa, [{ movement_id, target_id: duplicate_of, amount: 0 }], ctx.now())
  await separate(sql, empresa, movement_id, ctx.now())
  await askForReview(ctx, empresa)
  return showWhole(ctx, (await findMovement(sql, empresa, movement_id)) as MovementRow)
}
