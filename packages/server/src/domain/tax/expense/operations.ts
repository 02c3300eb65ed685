import { listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { deletesExpense } from './agent-copy.ts'
import { deleteExpense, readExpense, updateExpense } from './change.ts'
import { createExpense, listExpenses } from './expenses.ts'
import { CreateExpense, Expense, ExpensePath, ExpenseQuery, PatchExpense } from './schema.ts'

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
  defineOperation({
    id: 'tax.expenses.get',
    method: 'GET',
    path: '/tax/expenses/{expense_id}',
    summary: 'Read an expense',
    reach: 'empresa',
    scope: 'documents:read',
    params: ExpensePath,
    returns: Expense,
    errors: ['expense_not_found'],
    run: readExpense,
  }),
  defineOperation({
    id: 'tax.expenses.update',
    method: 'PATCH',
    path: '/tax/expenses/{expense_id}',
    summary: 'Correct an expense that was written down by hand',
    description:
      'A field left out stays as it was; a category of null clears it, and a provider is sent whole. The expense of a ' +
      'movement follows its movement and is not corrected here.',
    reach: 'empresa',
    scope: 'documents:write',
    params: ExpensePath,
    body: PatchExpense,
    returns: Expense,
    errors: ['expense_not_found', 'expense_of_movement'],
    run: updateExpense,
  }),
  defineOperation({
    id: 'tax.expenses.delete',
    method: 'DELETE',
    path: '/tax/expenses/{expense_id}',
    summary: 'Delete an expense that was written down by hand',
    description: 'The expense of a movement goes with its movement: undo the cartola, or merge the duplicate.',
    reach: 'empresa',
    scope: 'documents:write',
    params: ExpensePath,
    returns: null,
    errors: ['expense_not_found', 'expense_of_movement'],
    mcp: { irreversible: deletesExpense },
    run: deleteExpense,
  }),
]
