import { type Static, Type } from 'typebox'
import { MODE_NAMES } from '../../../catalog/modes.ts'
import {
  CivilDate,
  Closed,
  Id,
  listQuery,
  MultiLine,
  Named,
  Nullable,
  OneOf,
  Timestamp,
} from '../../../kernel/schema.ts'

const optional = Type.Optional

/** How money changed hands outside the bank. */
const METHODS = ['cash', 'cheque', 'card', 'transfer', 'offset', 'other'] as const

export const Payment = Named(
  'Payment',
  Closed({
    object: Type.Literal('payment'),
    id: Type.String({ examples: ['pay_01h5k3vq8n5r6t7w8x9y0z1a2b'] }),
    mode: OneOf(MODE_NAMES),
    document_id: Nullable(Type.String({ description: 'The document of ours that it pays.' })),
    received_document_id: Nullable(Type.String({ description: 'The document of a supplier that it pays.' })),
    amount: Type.Integer({ description: 'In pesos.' }),
    paid_on: CivilDate,
    method: Nullable(OneOf(METHODS)),
    note: Nullable(Type.String()),
    created_at: Timestamp,
  }),
)
export type Payment = Static<typeof Payment>
export type PaymentMethod = (typeof METHODS)[number]

export const RecordPayment = Closed({
  amount: optional(
    Type.Integer({ minimum: 1, maximum: 999_999_999_999_999, description: 'In pesos. Left out: all that is pending.' }),
  ),
  paid_on: optional({
    ...CivilDate,
    description: 'Not after today in Santiago, by the clock of the empresa. Left out: today.',
  }),
  method: optional(OneOf(METHODS, { description: '`offset`: set off against something that we owe, or are owed.' })),
  note: optional(MultiLine(500)),
})
export type RecordPayment = Static<typeof RecordPayment>

export const PaymentQuery = listQuery({})
export type PaymentQuery = Static<typeof PaymentQuery>

export const DocumentPaymentPath = Closed({ document_id: Id, payment_id: Id })
export const ReceivedPaymentPath = Closed({ received_document_id: Id, payment_id: Id })
