import { longDate, pesos } from '@timbre/dte/values'
import type { Irreversible } from '../../agent-tool.ts'
import type { F29Filing } from './filing-schema.ts'

export const filesF29: Irreversible<F29Filing> = {
  says: ({ period, total_due, due_date }) =>
    `Se va a presentar al SII el F29 de ${period}, con un total a pagar de ${pesos(total_due)} y vencimiento el ` +
    `${longDate(due_date)}. El mes queda cerrado; lo presentado solo se corrige rectificando.`,
  shows: ({ period, codes, total, total_due, due_date }) => ({ period, codes, total, total_due, due_date }),
}
