import { TIPO_NUMBERS } from '@timbre/dte/values'
import { type Static, type TSchema, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { CivilDate, Closed, Email, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { LatinLine } from '../../latin-text.ts'
import { Rut } from '../../rut.ts'

export const DOCUMENT_STATUSES = ['queued', 'sent', 'accepted', 'reparo', 'rejected', 'annulled', 'failed'] as const
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number]
export const PDF_FORMATS = ['letter', 'ticket_80', 'ticket_58'] as const

/** Where a field of the receptor came from, in order of priority. */
export const RECEPTOR_SOURCES = ['request', 'empresa', 'counterparty', 'earlier_document'] as const
export type ReceptorSource = (typeof RECEPTOR_SOURCES)[number]

export const TipoDteNumber = Type.Unsafe<(typeof TIPO_NUMBERS)[number]>({
  type: 'integer',
  enum: [...TIPO_NUMBERS],
  'x-whole': true,
})
const optional = Type.Optional
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
  detail: optional(Type.String({ minLength: 1, maxLength: 1000 })),
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
  billing: optional(
    OneOf(['non_billable', 'container_deposit', 'not_a_sale', 'to_deduct', 'non_billable_negative'], {
      description: 'What the line is when it is not a plain sale.',
    }),
  ),
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
  document_id: optional(Type.String({ description: 'A document of ours; stands for `tipo_dte`, `folio` and `date`.' })),
  tipo_dte: optional(Type.Integer({ minimum: 30, maximum: 999 })),
  document_type: optional(LatinLine(3, { description: 'Any other kind by its code, such as 801 or SET.' })),
  folio: optional(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
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

const Moment = Type.String({ maxLength: 40 })
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
  form: optional(OneOf(['cash', 'credit', 'free'])),
  paid_on: optional(CivilDate),
  due_date: optional(CivilDate),
  method: optional(OneOf(['cash', 'card', 'transfer', 'check', 'postdated_check', 'bill_of_exchange', 'other'])),
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
})

export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: CEILINGS.metadata_pairs,
  propertyNames: { type: 'string', minLength: 1, maxLength: 40 },
  additionalProperties: { type: 'string', maxLength: 500 },
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
  sale_type: optional(Type.Integer({ minimum: 1, maximum: 9 })),
  purchase_type: optional(Type.Integer({ minimum: 1, maximum: 9 })),
  no_debit_reduction: optional(Type.Boolean()),
  stated_taxes: optional(Type.Array(Closed({ code: Type.Integer(), amount: Type.Integer() }), { maxItems: 20 })),
  construction_credit: optional(Type.Integer({ minimum: 0 })),
  previous_balance: optional(Type.Integer()),
}

const PdfOptions = Closed({
  cedible: optional(
    Type.Boolean({ description: 'Prints the cedible copy in place of the plain one, for the tipos that have it.' }),
  ),
  format: optional(OneOf(PDF_FORMATS)),
})

export const CreateDocument = Closed({
  tipo_dte: TipoDteNumber,
  receptor: optional(Receptor),
  ...draftFields,
  external_id: optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Your own id; unique per empresa and mode.' }),
  ),
  metadata: optional(Metadata),
  pdf: optional(PdfOptions),
})
export type CreateDocument = Static<typeof CreateDocument>

const nullableText = Nullable(Type.String())

export const ShownReceptor = Closed({
  rut: Type.String(),
  legal_name: nullableText,
  giro: nullableText,
  address: Closed({ street: nullableText, comuna: nullableText, city: nullableText }),
  email: nullableText,
  sources: Type.Unsafe<Record<string, ReceptorSource>>({
    type: 'object',
    additionalProperties: { type: 'string', enum: [...RECEPTOR_SOURCES] },
    description: 'Where each field came from, by its dotted name.',
  }),
})

export const Totals = Closed({
  net: Type.Integer(),
  iva: Type.Integer(),
  exempt: Type.Integer(),
  total: Type.Integer(),
})
export type Totals = Static<typeof Totals>

const Explained = Type.Unsafe<Explanation | null>({
  anyOf: [
    Closed({
      code: Type.String({ description: 'Stable: program against it.' }),
      field: Nullable(Type.String({ description: 'Your own field at fault, where the SII points at one.' })),
      message: Type.String({ description: 'Chilean Spanish, for a person.' }),
      fix: Type.String({ description: 'What to change, in Chilean Spanish.' }),
    }),
    { type: 'null' },
  ],
  description: 'Present when the SII observed or refused it.',
})

const Failed = (description: string) =>
  Type.Unsafe<Failure | null>({
    anyOf: [Closed({ code: Type.String(), message: Type.String() }), { type: 'null' }],
    description,
  })

/** What the SII said of a document, in its own words and in ours. */
const SiiFacts = Closed({
  environment: OneOf(['certificacion', 'produccion']),
  track_id: nullableText,
  estado: Nullable(Type.String({ description: 'The code of the SII, such as DOK or RCH.' })),
  glosa: Nullable(Type.String({ description: 'Its own words, untranslated.' })),
  explanation: Explained,
})
export interface Explanation {
  readonly code: string
  readonly field: string | null
  readonly message: string
  readonly fix: string
}

export const CESION_STATUSES = ['queued', 'submitted', 'confirmed', 'failed'] as const
/** The last cesión of a document; every field is null while there was none. */
const Cesion = Closed({
  cedible: Type.Boolean({ description: 'Whether its kind can be ceded; POST …/cesion tells whether it can be now.' }),
  status: Nullable(OneOf(CESION_STATUSES, { description: 'Where the last cesión stands; null when there is none.' })),
  id: nullableText,
  cesionario: Type.Unsafe<{ readonly rut: string; readonly legal_name: string } | null>({
    anyOf: [Closed({ rut: Type.String(), legal_name: Type.String() }), { type: 'null' }],
    description: 'Who holds the credit once the cesión is `confirmed`.',
  }),
  amount: Nullable(Type.Integer()),
  due_date: Nullable(CivilDate),
  track_id: nullableText,
  estado: Nullable(Type.String({ description: 'The code of the register of the SII, such as EOK or RCS.' })),
  glosa: Nullable(Type.String({ description: 'Its own words, untranslated.' })),
  explanation: Explained,
  failure: Failed('Why it is `failed`; POST …/cede tries again.'),
  submitted_at: Nullable(Timestamp),
  settled_at: Nullable(Timestamp),
})

export const Document = Named(
  'Document',
  Closed({
    object: Type.Literal('document'),
    id: Type.String(),
    mode: OneOf(MODE_NAMES),
    status: OneOf(DOCUMENT_STATUSES),
    tipo_dte: Type.Integer(),
    folio: Nullable(Type.Integer({ description: 'Null until it is drawn, shortly after creation.' })),
    issue_date: CivilDate,
    totals: Totals,
    receptor: ShownReceptor,
    external_id: nullableText,
    metadata: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    pdf_url: Type.String(),
    xml_url: Type.String(),
    sii: SiiFacts,
    failure: Failed('Why it is `failed`; POST …/retry tries again.'),
    annuls: Nullable(Type.String({ description: 'The document that this note annuls.' })),
    cesion: Cesion,
    created_at: Timestamp,
    sent_at: Nullable(Timestamp),
    settled_at: Nullable(Timestamp),
  }),
)
export type Document = Static<typeof Document>
export interface Failure {
  readonly code: string
  readonly message: string
}

export const DocumentPath = Closed({ document_id: Type.String() })
export type DocumentPath = Static<typeof DocumentPath>
