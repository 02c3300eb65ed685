import type { Irreversible } from '../../agent-tool.ts'

export const deletesExpense: Irreversible<null> = {
  before: 'tax.expenses.get',
  says: () => 'Se va a borrar este gasto anotado a mano. No se puede recuperar: habría que anotarlo de nuevo.',
  shows: () => ({}),
}
