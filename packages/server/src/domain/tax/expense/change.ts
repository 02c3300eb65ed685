import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { refuseFuture } from './date.ts'
import type { Expense, ExpensePath, PatchExpense } from './schema.ts'
import { type ExpenseRow, showExpense } from './show.ts'
import { deleteManual, findExpense, lockExpense, updateManual } from './store.ts'

export async function readExpense(ctx: EmpresaContext, { expense_id }: ExpensePath): Promise<Expense> {
  const row = await findExpense(ctx.sql, ctx.empresa, expense_id)
  if (!row) throw new Problem('expense_not_found')
  return showExpense(row)
}

/** What the bank tells is the bank's to change: an expense that a movement made follows it. */
async function lockManual(ctx: EmpresaContext, expense_id: string): Promise<ExpenseRow> {
  const row = await lockExpense(ctx.sql, ctx.empresa, expense_id)
  if (!row) throw new Problem('expense_not_found')
  if (row.movement_id !== null) throw new Problem('expense_of_movement', { existing_id: row.movement_id })
  return row
}

/** The provider is sent whole: the country of a provider whose RUT goes away would be that of nobody. */
function changed(row: ExpenseRow, { provider, category = row.category, ...input }: PatchExpense): ExpenseRow {
  const { date = row.date, description = row.description, amount = row.amount, currency = row.currency } = input
  const rest = { ...row, date, description, amount, currency, category }
  if (!provider) return rest
  const { name, rut = null, country = rut === null ? null : 'CL' } = provider
  return { ...rest, provider_name: name, provider_rut: rut, provider_country: country }
}

/** Corrects an expense that was recorded by hand. */
export async function updateExpense(
  ctx: EmpresaContext,
  { expense_id, ...input }: ExpensePath & PatchExpense,
): Promise<Expense> {
  refuseFuture(input.date, ctx.now())
  const row = await lockManual(ctx, expense_id)
  const [before, after] = [showExpense(row), showExpense(changed(row, input))]
  if (previousAttributes(before, after) === null) return before
  const shown = showExpense(await updateManual(ctx.sql, ctx.empresa, { ...changed(row, input), changed_at: ctx.now() }))
  const previous_attributes = previousAttributes(before, shown) ?? {}
  ctx.emit({ type: 'tax.expense.updated', object: shown, previous_attributes, empresa: ownerOf(ctx) })
  return shown
}

export async function deleteExpense(ctx: EmpresaContext, { expense_id }: ExpensePath): Promise<null> {
  const row = await lockManual(ctx, expense_id)
  await deleteManual(ctx.sql, ctx.empresa, row.id)
  ctx.emit({ type: 'tax.expense.deleted', object: showExpense(row), empresa: ownerOf(ctx) })
  return null
}

const ownerOf = ({ empresa }: EmpresaContext) => ({ id: empresa.empresa_id, rut: empresa.rut })
