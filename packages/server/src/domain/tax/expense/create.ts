import { newId } from '../../../kernel/id.ts'
import type { EmpresaContext } from '../../context.ts'
import type { CreateExpense, Expense } from './schema.ts'
import { showExpense } from './show.ts'
import { insertManual } from './store.ts'

/** Writes an expense down by hand. Whether it was written before is what the Idempotency-Key tells. */
export async function createExpense(ctx: EmpresaContext, input: CreateExpense): Promise<Expense> {
  const { provider, currency = 'CLP', category = null, date, description, amount } = input
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
  return showExpense(row)
}
