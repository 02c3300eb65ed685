import { pesos, printedRut } from '@timbre/dte/values'
import { type Irreversible, quoted } from '../../agent-tool.ts'
import type { Job } from '../../platform/job/operations.ts'
import type { CedeDocument } from './schema.ts'

export const cedesDocument: Irreversible<Job> = {
  before: 'documents.get',
  says: (_job, input) => {
    const { cesionario, amount } = input as unknown as CedeDocument
    const how_much = amount === undefined ? 'todo su saldo' : pesos(amount)
    return (
      `Se va a ceder el crédito de la factura, por ${how_much}, a ${quoted(cesionario.legal_name)} ` +
      `(RUT ${printedRut(cesionario.rut)}) en el registro del SII. Una cesión confirmada es definitiva.`
    )
  },
  // A job says nothing of what is ceded: the document and the arguments, shown beside it, do.
  shows: ({ type }) => ({ type }),
}
