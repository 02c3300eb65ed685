import { CEILINGS } from '../../../catalog/limits.ts'
import { decodeCursor, encodeCursor, type ListPage } from '../../../kernel/cursor.ts'
import type { EmpresaContext } from '../../context.ts'
import type { Expense, ExpenseQuery } from './schema.ts'
import { showExpense } from './show.ts'
import { type ExpenseFilter, listRows, type Place } from './store.ts'

const LIST = 'tax.expenses'

export async function listExpenses(ctx: EmpresaContext, input: ExpenseQuery): Promise<ListPage<Expense>> {
  const { limit = CEILINGS.list_default, cursor, ...filter } = input
  const filters = { empresa_id: ctx.empresa.empresa_id, ...filter }
  const place = cursor === undefined ? null : (decodeCursor(LIST, filters, cursor) as unknown as Place)
  const rows = await listRows(ctx.sql, ctx.empresa, filter as ExpenseFilter, { place, take: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const has_more = rows.length > limit && last !== undefined
  const next_cursor = has_more ? encodeCursor(LIST, filters, [last.date, last.id]) : null
  return { object: 'list', data: shown.map(showExpense), has_more, next_cursor }
}
