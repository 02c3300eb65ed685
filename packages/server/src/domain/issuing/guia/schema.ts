import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { Closed, Id } from '../../../kernel/schema.ts'
import { CreateDocument } from '../document/create-schema.ts'

const { issue_date, payment, references, external_id, metadata, pdf } = CreateDocument.properties

export const InvoiceGuias = Closed({
  guia_ids: Type.Array(Id, {
    minItems: 1,
    maxItems: CEILINGS.document_references,
    description: 'Guías of a sale to one receptor, in the order in which their lines shall stand.',
  }),
  issue_date,
  payment,
  references: Type.Optional({
    ...references,
    description: 'Beside those to the guías, which are made: a purchase order, for one.',
  } as typeof references),
  external_id,
  metadata,
  pdf,
})
export type InvoiceGuias = Static<typeof InvoiceGuias>
