import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { Closed } from '../../../kernel/schema.ts'
import { LatinLine } from '../../latin-text.ts'
import { CreateDocument, Item } from '../document/create-schema.ts'

const { external_id, metadata } = CreateDocument.properties

export const CreateCreditNote = Closed({
  code: Type.Optional(
    Type.Unsafe<1 | 2 | 3>({
      type: 'integer',
      enum: [1, 2, 3],
      description:
        '1 annuls the whole original, 2 corrects text, 3 corrects amounts. Left out: 3 when `items` are sent, else 1.',
    }),
  ),
  reason: Type.Optional(
    LatinLine(90, { description: 'Printed on the nota. Needed with code 2: "Donde dice … debe decir …".' }),
  ),
  items: Type.Optional(
    Type.Array(Item, {
      minItems: 1,
      maxItems: CEILINGS.document_items,
      description: 'What to credit, with code 3; priced as the original is (gross for a boleta, net for the rest).',
    }),
  ),
  external_id,
  metadata,
})
export type CreateCreditNote = Static<typeof CreateCreditNote>
