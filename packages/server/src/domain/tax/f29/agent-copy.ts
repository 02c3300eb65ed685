import { longDate, pesos } from '@timbre/dte/values'
import type { Irreversible } from '../../agent-tool.ts'
import type { F29Filing } from './filing-schema.ts'

export const filesF29: Irreversible<F29Filing> = {
  says: ({ period, total_due, due_date, rectifies }) =>
    `Se va a ${rectifies === null ? 'presentar al' : 'rectificar ante el'} SII el F29 de ${period}, con un total a pagar de ${pesos(total_due)} y vencimiento el ` +
    `${longDate(due_date)}. El mes queda cerrado; lo presentado solo se corrige rectificando.`,
  shows: ({ period, codes, total, total_due, due_date, corrections }) => ({
    period,
    codes,
    total,
    total_due,
    due_date,
    corrections,
  }),
}
