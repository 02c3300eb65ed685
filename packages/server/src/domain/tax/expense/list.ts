import { type ListPage, paginate } from '../../../kernel/cursor.ts'
import type { EmpresaContext } from '../../context.ts'
import type { Expense, ExpenseQuery } from './schema.ts'
import { type ExpenseRow, showExpense } from './show.ts'
import { type ExpenseFilter, listRows, type Place } from './store.ts'

export function listExpenses(ctx: EmpresaContext, input: ExpenseQuery): Promise<ListPage<Expense>> {
  const { limit, cursor, ...filter } = input
  return paginate<ExpenseRow, Expense, Place>(
    { limit, cursor },
    {
      list: 'tax.expenses',
      filters: { empresa_id: ctx.empresa.empresa_id, ...filter },
      fetch: (page) => listRows(ctx.sql, ctx.empresa, filter as ExpenseFilter, page),
      placeOf: ({ date, id }) => [date, id],
      show: (rows) => rows.map(showExpense),
    },
  )
}
