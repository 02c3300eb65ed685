import { listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { createExpense, listExpenses } from './expenses.ts'
import { CreateExpense, Expense, ExpenseQuery } from './schema.ts'

export const expenseOperations = [
  defineOperation({
    id: 'tax.expenses.list',
    method: 'GET',
    path: '/tax/expenses',
    summary: 'List the expenses',
    description:
      'What was written down by hand, and every outgoing movement of cartolas and bank connections. Newest day first.',
    reach: 'empresa',
    scope: 'documents:read',
    query: ExpenseQuery,
    returns: listOf(Expense),
    errors: ['invalid_cursor'],
    run: listExpenses,
  }),
  defineOperation({
    id: 'tax.expenses.create',
    method: 'POST',
    path: '/tax/expenses',
    summary: 'Write down an expense by hand',
    description: 'Repeating a call with the same Idempotency-Key writes it once; without one it is another expense.',
    reach: 'empresa',
    scope: 'documents:write',
    body: CreateExpense,
    returns: Expense,
    status: 201,
    run: createExpense,
  }),
]
