import { listOf } from '../../../kernel/schema.ts'
import { DocumentPath } from '../../issuing/document/schema.ts'
import { defineOperation } from '../../operation.ts'
import { ReceivedDocumentPath } from '../../receiving/received-document/schema.ts'
import { takesBackPayment } from './agent-copy.ts'
import { listPayments, recordPayment, takeBackPayment } from './record.ts'
import { DocumentPaymentPath, Payment, PaymentQuery, ReceivedPaymentPath, RecordPayment } from './schema.ts'

const listed = {
  method: 'GET',
  reach: 'empresa',
  scope: 'documents:read',
  query: PaymentQuery,
  returns: listOf(Payment),
  description: 'Newest first. What came through a bank is a movement, with its match.',
  run: listPayments,
} as const
const recorded = {
  method: 'POST',
  reach: 'empresa',
  scope: 'documents:write',
  body: RecordPayment,
  returns: Payment,
  status: 201,
  description:
    'For cash, cheques and whatever no movement of a bank tells. It never pays more than is pending, also when two are ' +
    'recorded at once. Repeating a call with the same Idempotency-Key records it once.',
  run: recordPayment,
} as const
const taken_back = {
  method: 'DELETE',
  reach: 'empresa',
  scope: 'documents:write',
  returns: null,
  description: 'What it paid is pending again. A payment of a bank is taken apart with the unmatch of its movement.',
  mcp: { irreversible: takesBackPayment },
  run: takeBackPayment,
} as const

const OURS = '/documents/{document_id}/payments'
const THEIRS = '/received_documents/{received_document_id}/payments'

export const paymentOperations = [
  defineOperation({
    ...listed,
    id: 'documents.payments.list',
    path: OURS,
    summary: 'List the payments recorded on a document',
    params: DocumentPath,
    errors: ['document_not_found', 'invalid_cursor'],
  }),
  defineOperation({
    ...recorded,
    id: 'documents.payments.create',
    path: OURS,
    summary: 'Record a payment of a document outside the bank',
    params: DocumentPath,
    errors: ['document_not_found', 'nothing_pending', 'payment_exceeds_pending'],
  }),
  defineOperation({
    ...taken_back,
    id: 'documents.payments.delete',
    path: `${OURS}/{payment_id}`,
    summary: 'Take back a payment that was recorded',
    params: DocumentPaymentPath,
    errors: ['document_not_found', 'payment_not_found'],
  }),
  defineOperation({
    ...listed,
    id: 'received_documents.payments.list',
    path: THEIRS,
    summary: 'List the payments recorded on a document of a supplier',
    params: ReceivedDocumentPath,
    errors: ['received_document_not_found', 'invalid_cursor'],
  }),
  defineOperation({
    ...recorded,
    id: 'received_documents.payments.create',
    path: THEIRS,
    summary: 'Record a payment to a supplier outside the bank',
    params: ReceivedDocumentPath,
    errors: ['received_document_not_found', 'nothing_pending', 'payment_exceeds_pending'],
  }),
  defineOperation({
    ...taken_back,
    id: 'received_documents.payments.delete',
    path: `${THEIRS}/{payment_id}`,
    summary: 'Take back a payment to a supplier that was recorded',
    params: ReceivedPaymentPath,
    errors: ['received_document_not_found', 'payment_not_found'],
  }),
]
