import { TIPO } from '@timbre/dte/values'
import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../catalog/limits.ts'
import { Address, CreateDocument, Item, TipoDteNumber } from '../../domain/issuing/document/create-schema.ts'
import { LatinLine } from '../../domain/latin-text.ts'
import { Rut } from '../../domain/rut.ts'
import { Base64, Closed, OneOf } from '../../kernel/schema.ts'
import { SUPPLIER_CERTIFICATES } from '../../ports/sii.ts'

const optional = Type.Optional
const { issue_date, payment, references, discounts, surcharges, dispatch } = CreateDocument.properties

const SupplierDocument = Closed({
  tipo_dte: optional({ ...TipoDteNumber, default: TIPO.factura }),
  folio: optional(Type.Integer({ minimum: 1, maximum: 9_999_999_999, description: 'Left out: the next one.' })),
  emisor: optional(
    Closed(
      {
        rut: Rut,
        legal_name: optional(LatinLine(CEILINGS.legal_name)),
        giro: optional(LatinLine(CEILINGS.giro)),
        address: optional(Address),
      },
      { description: 'Left out: a supplier of the sandbox.' },
    ),
  ),
  items: optional(
    Type.Array(Item, { minItems: 1, maxItems: CEILINGS.document_items, description: 'Left out: one line.' }),
  ),
  issue_date,
  payment,
  references,
  discounts,
  surcharges,
  dispatch,
})

export const PlayReceived = Closed({
  xml: optional(
    Base64(CEILINGS.upload_body_bytes, { description: 'A file of a supplier in base64: an EnvioDTE or a DTE.' }),
  ),
  document: optional(SupplierDocument),
  certificate: optional(
    OneOf(SUPPLIER_CERTIFICATES, {
      description:
        'With what the supplier of the sandbox signs. `of_emisor`, or left out: the document is `verified`. `of_other_person` and ' +
        '`self_signed`: it is `unproven`. `expired`: it is set aside.',
    }),
  ),
})
export type PlayReceived = Static<typeof PlayReceived>
export type SupplierDocument = Static<typeof SupplierDocument>
