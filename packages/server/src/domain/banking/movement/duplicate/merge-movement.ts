import { invalidField, Problem } from '../../../../kernel/problem.ts'
import type { EmpresaContext } from '../../../context.ts'
import { withdrawFor } from '../../suggestion/settle.ts'
import { unhideMovement } from '../duplicate-store.ts'
import { deleteKeptApart, saveKeptApart } from '../match-store.ts'
import { showWithCandidates } from '../read.ts'
import { requestReview } from '../review/request.ts'
import type { MovementRow } from '../row.ts'
import type { MergeMovement, MovementPath, MovementWithCandidates } from '../schema.ts'
import { findMovement, lockMovement } from '../store.ts'
import { hideDuplicate } from './merge.ts'

function notMergeable(reason: string): Problem {
  return new Problem('movement_not_mergeable', { details: { reason } })
}

/** Locks both in one order whoever asks: of two opposite requests at once one comes second. */
async function lockBoth(ctx: EmpresaContext, movement_id: string, into: string): Promise<[MovementRow, MovementRow]> {
  const locked = new Map<string, MovementRow>()
  for (const id of [movement_id, into].sort()) {
    const row = await lockMovement(ctx.sql, ctx.empresa, id)
    if (row) locked.set(id, row)
  }
  const [row, other] = [locked.get(movement_id), locked.get(into)]
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

/** Merges a movement into another: this one is left out of lists and expenses from now on. */
export async function mergeMovement(
  ctx: EmpresaContext,
  { movement_id, into }: MovementPath & MergeMovement,
): Promise<MovementWithCandidates> {
  const { sql, empresa } = ctx
  const [row, other] = await lockBoth(ctx, movement_id, into)
  if (row.duplicate_certain && row.duplicate_of === into) return showWithCandidates(ctx, row)
  refuseUnlike(row, other)
  await deleteKeptApart(sql, empresa, movement_id, into)
  await deleteKeptApart(sql, empresa, into, movement_id)
  await hideDuplicate(sql, empresa, { id: movement_id, of: into }, ctx.now())
  await withdrawFor(ctx, empresa, [movement_id], 'movement_removed')
  return showWithCandidates(ctx, (await findMovement(sql, empresa, movement_id)) as MovementRow)
}

/** Declares a movement no duplicate: it counts again, and is not merged into the other one automatically any more. */
export async function unmergeMovement(
  ctx: EmpresaContext,
  { movement_id }: MovementPath,
): Promise<MovementWithCandidates> {
  const { sql, empresa } = ctx
  const row = await lockMovement(sql, empresa, movement_id)
  if (!row) throw new Problem('movement_not_found')
  const { duplicate_of } = row
  if (duplicate_of === null) return showWithCandidates(ctx, row)
  await saveKeptApart(sql, empresa, [{ movement_id, target_id: duplicate_of, amount: 0 }], ctx.now())
  await unhideMovement(sql, empresa, movement_id, ctx.now())
  await requestReview(ctx, empresa)
  return showWithCandidates(ctx, (await findMovement(sql, empresa, movement_id)) as MovementRow)
}
