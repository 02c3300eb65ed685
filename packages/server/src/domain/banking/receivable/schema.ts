import { type Static, Type } from 'typebox'
import { CivilDate, Closed, listQuery, Named, Nullable, OneOf } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'

const Pesos = (description: string) => Type.Integer({ description })

const fields = {
  counterparty: Closed({ rut: Type.String(), legal_name: Nullable(Type.String()) }),
  as_of: { ...CivilDate, description: 'Today in Santiago, by the clock of the empresa.' },
  documents: Type.Integer({ description: 'How many documents are open.' }),
  first_due_date: CivilDate,
  pending_amount: Pesos('In pesos; the sum of the five below.'),
  not_due: Pesos('Due today or later.'),
  overdue_1_30: Pesos('Due 1 to 30 days ago.'),
  overdue_31_60: Pesos('Due 31 to 60 days ago.'),
  overdue_61_90: Pesos('Due 61 to 90 days ago.'),
  overdue_over_90: Pesos('Due more than 90 days ago.'),
}

export const Receivable = Named('Receivable', Closed({ object: OneOf(['receivable']), ...fields }))
export type Receivable = Static<typeof Receivable>

export const Payable = Named('Payable', Closed({ object: OneOf(['payable']), ...fields }))
export type Payable = Static<typeof Payable>

export const OpenQuery = listQuery({ counterparty_rut: Type.Optional(Rut) })
export type OpenQuery = Static<typeof OpenQuery>
