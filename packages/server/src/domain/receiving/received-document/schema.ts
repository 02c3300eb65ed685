import { type Static, Type } from 'typebox'
import { AUTHENTICITY_REASON_CODES, AUTHENTICITY_STATUSES } from '../../../catalog/authenticity.ts'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import { CLAIM_CODES } from '../../../catalog/reception.ts'
import { CivilDate, Closed, Id, listQuery, Named, Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { SHOWN_BALANCE } from '../../issuing/document/schema.ts'
import { LatinLine } from '../../latin-text.ts'
import { Rut } from '../../rut.ts'

const optional = Type.Optional
const Pesos = Type.Integer()

const RECEIVED_STATUSES = ['pending', 'accepted', 'rejected', 'accepted_tacitly', 'received'] as const
export type ReceivedStatus = (typeof RECEIVED_STATUSES)[number]
const RECEIPT_STATUSES = ['pending', 'acknowledged', 'presumed', 'claimed'] as const
export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number]

const Claim = Closed({
  code: OneOf(CLAIM_CODES, {
    description: '`RCD` against the content, `RFP` and `RFT` for goods that are missing in part or all of them.',
  }),
  reason: Nullable(Type.String()),
  at: Timestamp,
})
export type Claim = Static<typeof Claim>

export const ReceivedItem = Closed({
  description: Type.String(),
  quantity: Nullable(Type.Number()),
  unit: Nullable(Type.String()),
  unit_price: Nullable(Type.Number()),
  exempt: Type.Boolean(),
  amount: Pesos,
})
export type ReceivedItem = Static<typeof ReceivedItem>

const Authenticity = Closed(
  {
    status: OneOf(AUTHENTICITY_STATUSES),
    reasons: Type.Array(OneOf(AUTHENTICITY_REASON_CODES), { description: 'What is missing; empty when `verified`.' }),
  },
  {
    description:
      '`verified`: an accredited CA vouches for its signer, who is the emisor, and its timbre and its amounts are its ' +
      'own. `unproven`: taken, and something of that could not be told. What contradicts itself is never taken.',
  },
)
export type Authenticity = Static<typeof Authenticity>

export const ReceivedDocument = Named(
  'ReceivedDocument',
  Closed({
    object: Type.Literal('received_document'),
    id: Type.String({ examples: ['rcd_01h5k3vq8n5r6t7w8x9y0z1a2b'] }),
    mode: OneOf(MODE_NAMES),
    status: OneOf(RECEIVED_STATUSES, {
      description: '`received`: its tipo takes no answer. `accepted_tacitly`: the eight days ended in silence.',
    }),
    tipo_dte: Type.Integer(),
    folio: Type.Integer(),
    emisor: Closed({ rut: Type.String(), legal_name: Type.String(), giro: Nullable(Type.String()) }),
    issue_date: CivilDate,
    totals: Closed({ net: Pesos, iva: Pesos, exempt: Pesos, total: Pesos }, { description: 'As the supplier wrote.' }),
    payment_form: Nullable(OneOf(['cash', 'credit', 'free'])),
    ...SHOWN_BALANCE,
    items: Type.Array(ReceivedItem),
    authenticity: Authenticity,
    receipt: Closed({
      status: Nullable(OneOf(RECEIPT_STATUSES), {
        description:
          'Goods or services: `presumed` once the eight days end. Null where the tipo takes no acknowledgement.',
      }),
      acknowledged_at: Nullable(Timestamp),
    }),
    claims: Type.Array(Claim),
    received_at: Type.Unsafe<string>({ ...Timestamp, description: 'When it reached us.' }),
    sii_received_at: Type.Unsafe<string>({ ...Timestamp, description: 'When the SII received it: the clock starts.' }),
    deadline_at: Nullable(Timestamp, { description: 'Eight days later; null where the tipo takes no answer.' }),
    answered_at: Nullable(Timestamp),
    replaced_at: Nullable(Timestamp, {
      description: 'When a better proven document took the place of the one that stood here; null when none did.',
    }),
    pdf_url: Type.String(),
    xml_url: Type.String(),
  }),
)
export type ReceivedDocument = Static<typeof ReceivedDocument>

export const ReplacedDocument = Named(
  'ReplacedDocument',
  Closed({
    object: Type.Literal('replaced_document'),
    document: Type.Unsafe<Static<typeof ReceivedDocument>>({
      ...ReceivedDocument,
      description: 'As it was shown until then.',
    }),
    xml: Type.Unsafe<string>({ type: 'string', contentEncoding: 'base64', description: 'As it came, in base64.' }),
    replaced_at: Timestamp,
  }),
)
export type ReplacedDocument = Static<typeof ReplacedDocument>

export const ReceivedDocumentPath = Closed({ received_document_id: Id })
export type ReceivedDocumentPath = Static<typeof ReceivedDocumentPath>

export const ReceivedDocumentQuery = listQuery({
  status: optional(OneOf(RECEIVED_STATUSES)),
  emisor_rut: optional(Rut),
  tipo_dte: optional(Type.Integer({ minimum: 1, maximum: 999 })),
  folio: optional(Type.Integer({ minimum: 1, maximum: 9_999_999_999 })),
  'issue_date[gte]': optional(CivilDate),
  'issue_date[lte]': optional(CivilDate),
  'received_at[gte]': optional(Timestamp),
  'received_at[lte]': optional(Timestamp),
  'deadline_at[gte]': optional(Timestamp),
  'deadline_at[lte]': optional(Timestamp),
})
export type ReceivedDocumentQuery = Static<typeof ReceivedDocumentQuery>

export const RejectReceived = Closed({
  code: OneOf(CLAIM_CODES, {
    description: '`RCD` claims the content, `RFP` a partial and `RFT` a total lack of goods or services.',
  }),
  reason: optional(LatinLine(200, { description: 'Told to the supplier in our answer. The SII takes none.' })),
})
export type RejectReceived = Static<typeof RejectReceived>

export const AcknowledgeReceipt = Closed({
  place: optional(LatinLine(80, { description: 'Where it was received. Left out: the address of the empresa.' })),
  person_rut: optional(
    Type.Unsafe<string>({ ...Rut, description: 'Who received it. Left out: whoever signs for the empresa.' }),
  ),
})
export type AcknowledgeReceipt = Static<typeof AcknowledgeReceipt>
