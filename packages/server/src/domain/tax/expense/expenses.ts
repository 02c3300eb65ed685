import { type ListPage, paginate } from '../../../kernel/cursor.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaContext } from '../../context.ts'
import { refuseFuture } from './date.ts'
import type { CreateExpense, Expense, ExpenseQuery } from './schema.ts'
import { type ExpenseRow, showExpense } from './show.ts'
import { type ExpenseFilter, insertManual, listRows, type Place } from './store.ts'

/** Records an expense by hand. Duplicates are told apart by the Idempotency-Key alone. */
export async function createExpense(ctx: EmpresaContext, input: CreateExpense): Promise<Expense> {
  const { provider, currency = 'CLP', category = null, date, description, amount } = input
  refuseFuture(date, ctx.now())
  const row = await insertManual(ctx.sql, ctx.empresa, {
    id: newId('expense'),
    date,
    description,
    provider_name: provider.name,
    provider_rut: provider.rut ?? null,
    provider_country: provider.country ?? (provider.rut === undefined ? null : 'CL'),
    amount,
    currency,
    category,
    created_at: ctx.now(),
  })
  const shown = showExpense(row)
  ctx.emit({
    type: 'tax.expense.created',
    object: shown,
    empresa: { id: ctx.empresa.empresa_id, rut: ctx.empresa.rut },
  })
  return shown
}

export function listExpenses(ctx: EmpresaContext, input: ExpenseQuery): Promise<ListPage<Expense>> {
  const { limit, cursor, ...filter } = input
  return paginate<ExpenseRow, Expense, Place>(
    ctx,
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
