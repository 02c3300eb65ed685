import { CEILINGS } from '../../../catalog/limits.ts'
import { decodeCursor, encodeCursor, type ListPage } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { findCandidates } from './find-candidates.ts'
import type { MovementRow } from './row.ts'
import type { Movement, MovementPath, MovementQuery, MovementWithCandidates } from './schema.ts'
import { paidBy, showCandidates, showMovement } from './show.ts'
import { findMovement, listMovementRows, type Place } from './store.ts'

const LIST = 'tax.movements'

export async function listMovements(ctx: EmpresaContext, input: MovementQuery): Promise<ListPage<Movement>> {
  const { limit = CEILINGS.list_default, cursor, ...filter } = input
  const filters = { empresa_id: ctx.empresa.empresa_id, ...filter }
  const place = cursor === undefined ? null : (decodeCursor(LIST, filters, cursor) as unknown as Place)
  const rows = await listMovementRows(ctx.sql, ctx.empresa, filter, { place, take: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const has_more = rows.length > limit && last !== undefined
  const paid = await paidBy(ctx.sql, ctx.empresa, shown)
  return {
    object: 'list',
    data: shown.map((row) => showMovement(row, paid)),
    has_more,
    next_cursor: has_more ? encodeCursor(LIST, filters, [last.post_date, last.id]) : null,
  }
}

/** A movement with all that is known and all that may be. */
export async function showWhole(
  { sql, empresa }: Pick<EmpresaContext, 'sql' | 'empresa'>,
  row: MovementRow,
): Promise<MovementWithCandidates> {
  const wonders = row.match === null && row.removed_at === null
  const candidates = wonders ? (await findCandidates(sql, empresa, [row])).get(row.id) : undefined
  const shown = showMovement(row, await paidBy(sql, empresa, [row]))
  return { ...shown, candidates: showCandidates(candidates ?? []) }
}

export async function readMovement(
  ctx: EmpresaContext,
  { movement_id }: MovementPath,
): Promise<MovementWithCandidates> {
  const row = await findMovement(ctx.sql, ctx.empresa, movement_id)
  if (!row) throw new Problem('movement_not_found')
  return showWhole(ctx, row)
}
