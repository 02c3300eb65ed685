import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import type { FailureCode } from '../../../kernel/job.ts'
import { CivilDate, Closed, Id, listQuery, Named, Nullable, OneLine, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { Rut } from '../../rut.ts'
import { TipoDteNumber } from './create-schema.ts'
import { DETAIL, ShownTax } from './detail-schema.ts'

const DOCUMENT_STATUSES = ['queued', 'sent', 'accepted', 'reparo', 'rejected', 'annulled', 'failed'] as const
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number]

/** Where a field of the receptor came from, in order of priority. */
const RECEPTOR_SOURCES = ['request', 'empresa', 'counterparty', 'earlier_document'] as const
export type ReceptorSource = (typeof RECEPTOR_SOURCES)[number]

const optional = Type.Optional
const nullableText = Nullable(Type.String())

export const ShownReceptor = Closed({
  rut: Type.String(),
  legal_name: nullableText,
  giro: nullableText,
  address: Closed({ street: nullableText, comuna: nullableText, city: nullableText }),
  email: nullableText,
  phone: nullableText,
  contact: nullableText,
  code: nullableText,
  foreign: Type.Unsafe<{ readonly id: string | null; readonly nationality: string | null } | null>({
    anyOf: [Closed({ id: nullableText, nationality: nullableText }), { type: 'null' }],
    description: 'Who it is abroad; null for a receptor of Chile.',
  }),
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
  taxes: Type.Integer({ description: 'Additional taxes less the withheld ones; `taxes` of the document lists them.' }),
  deposit: Type.Integer({ description: 'Deposits of containers.' }),
  construction_credit: Type.Integer({ description: 'Special credit of building firms; it is taken off.' }),
  total: Type.Integer({ description: 'net + iva + exempt + taxes + deposit - construction_credit.' }),
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
  description: 'Present when the SII observed or refused it, or does not find what was sent.',
})

const Failed = (description: string) =>
  Type.Unsafe<Failure | null>({
    anyOf: [Closed({ code: Type.String(), message: Type.String() }), { type: 'null' }],
    description,
  })

/** The SII's answer about a document, in its own words and in ours. */
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

const CESION_STATUSES = ['queued', 'submitted', 'confirmed', 'failed'] as const
/** The last cesión of a document; every field is null while there was none. */
const Cesion = Closed({
  cedible: Type.Boolean({
    description:
      'Whether its kind can be ceded, and it was neither rejected nor annulled; POST …/cesion tells whether it can be now.',
  }),
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

const RECEPTOR_ACTIONS = [
  'delivered',
  'not_delivered',
  'accepted',
  'accepted_tacitly',
  'receipt_acknowledged',
  'claimed',
] as const
/** One answer of the receptor. */
const ReceptorAnswer = Closed({
  source: OneOf(['mail', 'sii'], {
    description:
      '`sii`: its register of acceptance and claims, which has the force of law. `mail`: a signed exchange file.',
  }),
  action: OneOf(RECEPTOR_ACTIONS),
  code: Nullable(
    Type.String({ description: 'Of the register: ACD, ERM, RCD, RFP or RFT. Null by mail or by silence.' }),
  ),
  reason: Nullable(Type.String({ description: 'In the words of whoever answered.' })),
  signature: Nullable(
    OneOf(['verified', 'unproven'], {
      description: 'By mail: whether an accredited CA vouches for whoever signed. A false signature never gets here.',
    }),
  ),
  signer_rut: Nullable(Type.String({ description: 'Who signed the file, or acted in the register.' })),
  at: Timestamp,
})
export type ReceptorAnswer = Static<typeof ReceptorAnswer>

/** The copy for the receptor's exchange mailbox; every field is null before it went, and where it goes nowhere. */
const Exchange = Closed({
  status: Nullable(
    OneOf(['sent', 'failed', 'no_address'], {
      description: '`no_address`: the SII lists no mailbox of the receptor. Neither changes the document.',
    }),
  ),
  to: Nullable(Type.String({ description: 'The mailbox, as the SII lists it.' })),
  reason: Nullable(
    Type.String({
      description: 'Why it is `failed`: `refused`, `undeliverable`, `opted_out` or `build_refused`.',
    }),
  ),
  sent_at: Nullable(Timestamp),
})
export type Exchange = Static<typeof Exchange>

/** What the receptor answered; every field is null while it has not. */
const ReceptorResponse = Closed({
  status: Nullable(
    OneOf(['accepted', 'accepted_tacitly', 'claimed'], {
      description: '`accepted_tacitly`: its eight days ended without a claim (Ley 19.983).',
    }),
  ),
  basis: Nullable(
    OneOf(['sii', 'verified', 'unproven'], {
      description: 'What the status rests on: the register of the SII, or a mail and how far its signer is known.',
    }),
  ),
  answered_at: Nullable(Timestamp),
  receipt_acknowledged_at: Nullable(Timestamp, { description: 'When it acknowledged the goods or services.' }),
  delivered_at: Nullable(Timestamp, { description: 'When its system answered that the file arrived.' }),
  answers: Type.Array(ReceptorAnswer, { description: 'Oldest first.' }),
})
export type ReceptorResponse = Static<typeof ReceptorResponse>

/** Where the payment of a document stands: ours and those of suppliers. */
export const SHOWN_BALANCE = {
  due_date: Nullable(CivilDate, {
    description: 'As it says; at once in cash, and thirty days after its date otherwise (Ley 19.983, art. 2).',
  }),
  paid: Type.Boolean({ description: 'Whether payments settled it. False where nobody owes it, as a boleta.' }),
  paid_at: Nullable(Timestamp, { description: 'When nothing was left to pay, as it became known here.' }),
  pending_amount: Type.Integer({
    description:
      'What is left to pay in pesos: its total less notas de crédito, payments and what was ceded. Nothing where it is ' +
      'rejected or annulled.',
  }),
}

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
    taxes: Type.Array(ShownTax, {
      description: 'Additional taxes (they add) and withheld ones (they subtract), each amount positive.',
    }),
    receptor: ShownReceptor,
    ...SHOWN_BALANCE,
    ...Type.Partial(Closed(DETAIL)).properties,
    external_id: nullableText,
    metadata: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    pdf_url: Type.String(),
    xml_url: Type.String(),
    sii: SiiFacts,
    failure: Failed('Why it is `failed`; POST …/retry tries again.'),
    annuls: Nullable(Type.String({ description: 'The document that this note annuls.' })),
    exchange: Exchange,
    receptor_response: ReceptorResponse,
    cesion: Cesion,
    created_at: Timestamp,
    sent_at: Nullable(Timestamp),
    settled_at: Nullable(Timestamp),
  }),
)
export type Document = Static<typeof Document>
export interface Failure {
  readonly code: FailureCode
  readonly message: string
}

export const DocumentPath = Closed({ document_id: Id })
export type DocumentPath = Static<typeof DocumentPath>

export const DocumentQuery = listQuery({
  expand: optional(OneOf(['items'], { description: '`items`: each document with its lines, references and terms.' })),
  status: optional(OneOf(DOCUMENT_STATUSES)),
  tipo_dte: optional(TipoDteNumber),
  folio: optional(Type.Integer({ minimum: 1 })),
  receptor_rut: optional(Rut),
  invoiced: optional(
    Type.Boolean({
      description:
        'Guías of a sale that the SII took: `false` those that no factura invoices yet, `true` those that one does.',
    }),
  ),
  external_id: optional(OneLine(100)),
  'issue_date[gte]': optional(CivilDate),
  'issue_date[lte]': optional(CivilDate),
  'created_at[gte]': optional(Timestamp),
  'created_at[lte]': optional(Timestamp),
})
export type DocumentQuery = Static<typeof DocumentQuery>

export const JournalPage = listQuery({})
export type JournalQuery = Static<typeof JournalPage> & Static<typeof DocumentPath>

export const JournalEntry = Named(
  'DocumentJournalEntry',
  Closed({
    type: Type.String({ description: 'Finer than the status: `document.folio_allocated`, `document.signed`, …' }),
    at: Timestamp,
    detail: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  }),
)
export type JournalEntry = Static<typeof JournalEntry>
