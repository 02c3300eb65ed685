import { type Static, type TSchema, Type } from 'typebox'
import { CivilDate, Closed, Nullable, OneOf } from '../../../kernel/schema.ts'
import { BILLINGS, PAYMENT_FORMS, PAYMENT_METHODS } from './create-schema.ts'

const text = Nullable(Type.String())
const number = Nullable(Type.Number())
const integer = Nullable(Type.Integer())
const date = Nullable(CivilDate)

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }], description })

/** SII code, rate and pesos of one tax. The amount is positive, as MontoImp is, whether it adds or is withheld. */
export const ShownTax = Closed({
  code: Type.Integer({ description: 'SII code of the additional or withheld tax.' }),
  rate: Nullable(Type.Number({ description: 'In percent; null where the amount is stated or has no rate.' })),
  amount: Type.Integer(),
})

export const ShownAddress = Closed({ street: text, comuna: text, city: text })
export const ShownAdjustment = Closed({ percent: number, amount: integer })
export const ShownBases = Closed({ slaughter_base: number, margin: number, consumer_price: number })

export const ShownItem = Closed({
  description: Type.String(),
  detail: text,
  code: orNull(Closed({ type: Type.String(), value: Type.String() }), 'Your own code of the product.'),
  quantity: number,
  unit: text,
  unit_price: number,
  exempt: Type.Boolean(),
  billing: Nullable(OneOf(BILLINGS)),
  discount: orNull(ShownAdjustment, 'As it was written: `percent` or `amount`.'),
  surcharge: orNull(ShownAdjustment, 'As it was written: `percent` or `amount`.'),
  additional_tax: integer,
  retention_agent: orNull(ShownBases, 'The bases of its tax, where they are not the line itself.'),
  discount_amount: Type.Integer(),
  surcharge_amount: Type.Integer(),
  amount: Type.Integer({ description: 'What the line comes to, in pesos.' }),
})
export type ShownItem = Static<typeof ShownItem>

export const ShownGlobal = Closed({
  percent: number,
  amount: integer,
  applies_to: OneOf(['taxed', 'exempt', 'non_billable']),
  reason: text,
  applied: Type.Integer({ description: 'The pesos that it moved.' }),
})

export const ShownReference = Closed({
  tipo_dte: integer,
  document_type: text,
  folio: Nullable(Type.String({ description: 'Text: that of a purchase order may have letters.' })),
  date,
  code: integer,
  reason: text,
  global: Type.Boolean(),
  emisor_rut: text,
})

export const ShownPayment = Closed({
  form: Nullable(OneOf(PAYMENT_FORMS)),
  method: Nullable(OneOf(PAYMENT_METHODS)),
  paid_on: date,
  due_date: date,
  terms: text,
  instalments: Type.Array(Closed({ date: CivilDate, amount: Type.Integer(), note: text })),
})

export const ShownDispatch = Closed({
  dispatch_type: integer,
  transfer_type: integer,
  carrier_rut: text,
  driver: orNull(Closed({ rut: Type.String(), name: Type.String() }), 'Who drives.'),
  plate: text,
  trailer_plate: text,
  origin: orNull(ShownAddress, 'Printed only: the XML has no place for it.'),
  destination: orNull(ShownAddress, 'Where the goods go.'),
  departure_at: text,
  estimated_delivery_at: text,
})

export const ShownPeriod = Closed({ from: date, to: date })

/** What a document says beyond its heading, as it was issued: defaults filled in, lines priced. */
export const DETAIL = {
  items: Type.Array(ShownItem),
  discounts: Type.Array(ShownGlobal),
  surcharges: Type.Array(ShownGlobal),
  references: Type.Array(ShownReference),
  payment: orNull(ShownPayment, 'Null when the document says nothing of it.'),
  dispatch: orNull(ShownDispatch, 'Null when the document says nothing of it.'),
  period: orNull(ShownPeriod, 'What a periodic service covers.'),
  service_type: integer,
  sale_type: integer,
  purchase_type: integer,
  gross_prices: Nullable(Type.Boolean()),
  no_debit_reduction: Type.Boolean(),
}
const Detail = Closed(DETAIL)
export type DocumentDetail = Static<typeof Detail>
