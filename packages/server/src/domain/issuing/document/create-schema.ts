import { TIPO_NUMBERS, TIPOS } from '@timbre/dte/values'
import { type Static, type TSchema, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { CivilDate, Closed, Email, Id, MultiLine, ONE_LINE, OneLine, OneOf, Opaque } from '../../../kernel/schema.ts'
import { LatinLine } from '../../latin-text.ts'
import { Rut } from '../../rut.ts'
import { PRINT_FORMATS } from '../branding/schema.ts'

export const TipoDteNumber = Type.Unsafe<(typeof TIPO_NUMBERS)[number]>({
  type: 'integer',
  enum: [...TIPO_NUMBERS],
  'x-whole': true,
  title: 'TipoDte',
  description: `The kind of document: ${TIPO_NUMBERS.map((tipo) => `${tipo} ${TIPOS[tipo].name}`).join(', ')}.`,
})
const optional = Type.Optional

export const BILLINGS = [
  'non_billable',
  'container_deposit',
  'not_a_sale',
  'to_deduct',
  'non_billable_negative',
] as const
export const PAYMENT_FORMS = ['cash', 'credit', 'free'] as const
export const PAYMENT_METHODS = [
  'cash',
  'card',
  'transfer',
  'check',
  'postdated_check',
  'bill_of_exchange',
  'other',
] as const

const Amount = Type.Number({ minimum: 0 })
const Adjustment = {
  percent: optional(Type.Number({ exclusiveMinimum: 0, maximum: 100 })),
  amount: optional(Type.Integer({ minimum: 0 })),
}

export const Address = Closed({
  street: optional(LatinLine(CEILINGS.street)),
  comuna: optional(LatinLine(CEILINGS.comuna)),
  city: optional(LatinLine(CEILINGS.city)),
})

export const Item = Closed({
  description: LatinLine(80),
  detail: optional(MultiLine(1000)),
  quantity: optional(Type.Number({ exclusiveMinimum: 0, description: 'Up to 6 decimals. Left out: 1.' })),
  unit: optional(LatinLine(4)),
  unit_price: optional(
    Type.Number({
      minimum: 0,
      description:
        'Up to 4 decimals. Boletas carry gross prices, the rest net ones. Left out only in a guía and in a nota that corrects text.',
    }),
  ),
  exempt: optional(Type.Boolean({ description: 'This line carries no IVA.' })),
  billing: optional(OneOf(BILLINGS, { description: 'What the line is when it is not a plain sale.' })),
  discount: optional(Closed(Adjustment, { description: '`percent` or `amount`.' })),
  surcharge: optional(Closed(Adjustment, { description: '`percent` or `amount`.' })),
  code: optional(Closed({ type: LatinLine(10), value: LatinLine(35) })),
  additional_tax: optional(
    Type.Integer({
      description: 'SII code of an additional or withheld tax. Left out in a tipo 46: 15, all the IVA is withheld.',
    }),
  ),
  retention_agent: optional(
    Closed({ slaughter_base: optional(Amount), margin: optional(Amount), consumer_price: optional(Amount) }),
  ),
})
export type Item = Static<typeof Item>

const GlobalAdjustment = Closed({
  ...Adjustment,
  applies_to: optional(OneOf(['taxed', 'exempt', 'non_billable'])),
  reason: optional(LatinLine(45)),
})

export const Reference = Closed({
  document_id: optional({ ...Id, description: 'A document of ours; stands for `tipo_dte`, `folio` and `date`.' }),
  tipo_dte: optional(Type.Integer({ minimum: 30, maximum: 999 })),
  document_type: optional(LatinLine(3, { description: 'Any other kind by its code, such as 801 or SET.' })),
  folio: optional(Type.Unsafe<string | number>({ type: ['string', 'integer'], maxLength: 40, pattern: ONE_LINE })),
  date: optional(CivilDate),
  code: optional(
    Type.Unsafe<1 | 2 | 3>({
      type: 'integer',
      enum: [1, 2, 3],
      description: '1 annuls, 2 corrects text, 3 corrects amounts.',
    }),
  ),
  reason: optional(LatinLine(90)),
  global: optional(Type.Boolean()),
  emisor_rut: optional(Rut),
})

const Moment = OneLine(40)
const Dispatch = Closed({
  dispatch_type: optional(Type.Integer({ minimum: 1, maximum: 3 })),
  transfer_type: optional(
    Type.Integer({
      minimum: 1,
      maximum: 9,
      description:
        'Left out: 5 (internal) when the receptor is the empresa itself, 1 (a sale) when the lines have prices.',
    }),
  ),
  driver: optional(Closed({ rut: Rut, name: LatinLine(30) })),
  carrier_rut: optional(Rut),
  plate: optional(LatinLine(8)),
  trailer_plate: optional(LatinLine(8)),
  origin: optional(Address),
  destination: optional(Address),
  departure_at: optional(Moment),
  estimated_delivery_at: optional(Moment),
})

const Payment = Closed({
  form: optional(OneOf(PAYMENT_FORMS)),
  paid_on: optional(CivilDate),
  due_date: optional(CivilDate),
  method: optional(OneOf(PAYMENT_METHODS)),
  terms: optional(LatinLine(100)),
  instalments: optional(
    Type.Array(Closed({ date: CivilDate, amount: Type.Integer({ minimum: 1 }), note: optional(LatinLine(40)) }), {
      maxItems: 30,
    }),
  ),
})

export const Receptor = Closed({
  rut: Rut,
  legal_name: optional(LatinLine(CEILINGS.legal_name)),
  giro: optional(LatinLine(CEILINGS.giro)),
  address: optional(Address),
  email: optional(Email),
  phone: optional(LatinLine(20)),
  contact: optional(LatinLine(80)),
  code: optional(LatinLine(20, { description: 'Your own code of the receptor (CdgIntRecep).' })),
  foreign: optional(
    Closed(
      {
        id: optional(LatinLine(20, { description: 'Its number of taxpayer or passport abroad (NumId).' })),
        nationality: optional(LatinLine(3, { description: 'Customs code of the country (Nacionalidad).' })),
      },
      { description: 'Who it is abroad. Not in boletas.' },
    ),
  ),
})

export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: CEILINGS.metadata_pairs,
  propertyNames: OneLine(40),
  additionalProperties: Opaque(500),
  description: 'Up to 20 pairs of text of your own. We keep them and give them back.',
})

/** A list with a ceiling: the first one too many is refused by its own index. */
const UpTo = <T extends TSchema>(max: number, schema: T, options: object = {}) =>
  Type.Array(schema, { maxItems: max, 'x-excess-at-index': true, ...options })

const draftFields = {
  items: UpTo(CEILINGS.boleta_items, Item, { minItems: 1 }),
  issue_date: optional(CivilDate),
  discounts: optional(UpTo(CEILINGS.document_global_discounts, GlobalAdjustment)),
  surcharges: optional(UpTo(CEILINGS.document_global_discounts, GlobalAdjustment)),
  references: optional(UpTo(CEILINGS.document_references, Reference)),
  dispatch: optional(Dispatch),
  payment: optional(Payment),
  period: optional(Closed({ from: optional(CivilDate), to: optional(CivilDate) })),
  service_type: optional(Type.Integer({ minimum: 1, maximum: 4 })),
  gross_prices: optional(
    Type.Boolean({ description: 'Whether `unit_price` includes IVA, where the tipo lets you choose.' }),
  ),
  sale_type: optional(
    Type.Integer({
      minimum: 1,
      maximum: 4,
      description: '1 of the giro, 2 fixed assets, 3 real estate; 4 in a nota de crédito alone. Not in boletas.',
    }),
  ),
  purchase_type: optional(
    Type.Integer({ minimum: 1, maximum: 7, description: 'A hint for the register of the receptor. Not in boletas.' }),
  ),
  no_debit_reduction: optional(Type.Boolean()),
  stated_taxes: optional(Type.Array(Closed({ code: Type.Integer(), amount: Type.Integer() }), { maxItems: 20 })),
  construction_credit: optional(Type.Integer({ minimum: 0 })),
  previous_balance: optional(Type.Integer()),
}

const PdfOptions = Closed({
  cedible: optional(
    Type.Boolean({ description: 'Prints the cedible copy in place of the plain one, for the tipos that have it.' }),
  ),
  format: optional(OneOf(PRINT_FORMATS)),
})

const RECEPTOR_NEEDS =
  'Every tipo but a boleta (39, 41) needs `rut`, `legal_name`, `giro`, `address.street` and `address.comuna`. What is left out is ' +
  'taken from the empresa itself where it is its own receptor, then from the address book, then from its last document to this ' +
  'RUT; what none of them has is `400 receptor_incomplete`, which names every field that lacks. A boleta may go without ' +
  'receptor, and prints of it what is sent alone.'

export const CreateDocument = Closed({
  tipo_dte: TipoDteNumber,
  receptor: optional({ ...Receptor, description: RECEPTOR_NEEDS }),
  ...draftFields,
  external_id: optional(OneLine(100, { description: 'Your own id; unique per empresa and mode.' })),
  metadata: optional(Metadata),
  pdf: optional(PdfOptions),
})
export type CreateDocument = Static<typeof CreateDocument>
