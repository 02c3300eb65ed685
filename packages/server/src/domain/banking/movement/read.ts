import { type ListPage, paginate } from '../../../kernel/cursor.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { findCandidates } from './match/candidates.ts'
import type { MovementRow } from './row.ts'
import type { Movement, MovementPath, MovementQuery, MovementWithCandidates } from './schema.ts'
import { findPaid, showCandidates, showMovement } from './show.ts'
import { findMovement, listMovementRows, type Place } from './store.ts'

export function listMovements(ctx: EmpresaContext, input: MovementQuery): Promise<ListPage<Movement>> {
  const { limit, cursor, ...filter } = input
  return paginate<MovementRow, Movement, Place>(
    ctx,
    { limit, cursor },
    {
      list: 'tax.movements',
      filters: { empresa_id: ctx.empresa.empresa_id, ...filter },
      fetch: (page) => listMovementRows(ctx.sql, ctx.empresa, filter, page),
      placeOf: ({ post_date, id }) => [post_date, id],
      async show(rows) {
        const paid = await findPaid(ctx.sql, ctx.empresa, rows)
        return rows.map((row) => showMovement(row, paid))
      },
    },
  )
}

/** A movement with its match, or with its candidates while it has none. */
export async function showWithCandidates(
  { sql, empresa }: Pick<EmpresaContext, 'sql' | 'empresa'>,
  row: MovementRow,
): Promise<MovementWithCandidates> {
  const is_open = row.match === null && row.removed_at === null
  const candidates = is_open ? (await findCandidates(sql, empresa, [row])).get(row.id) : undefined
  const shown = showMovement(row, await findPaid(sql, empresa, [row]))
  return { ...shown, candidates: showCandidates(candidates ?? []) }
}

export async function readMovement(
  ctx: EmpresaContext,
  { movement_id }: MovementPath,
): Promise<MovementWithCandidates> {
  const row = await findMovement(ctx.sql, ctx.empresa, movement_id)
  if (!row) throw new Problem('movement_not_found')
  return showWithCandidates(ctx, row)
}
