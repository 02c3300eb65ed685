import { artifact, listOf } from '../../../kernel/schema.ts'
import { defineExport } from '../../export.ts'
import { defineOperation } from '../../operation.ts'
import { acceptsReceived, acknowledgesReceipt, rejectsReceived } from './agent-copy.ts'
import { quarantineOperations } from './quarantine-operations.ts'
import { listReceived, listReplacedDocuments, readReceived, readReceivedPdf, readReceivedXml } from './read.ts'
import { acceptReceived, acknowledgeReceipt, registerAnswer, rejectReceived } from './respond.ts'
import {
  AcknowledgeReceipt,
  ReceivedDocument,
  ReceivedDocumentPath,
  ReceivedDocumentQuery,
  RejectReceived,
  ReplacedDocument,
} from './schema.ts'

const ONE = '/received_documents/{received_document_id}'
const reads = { method: 'GET', reach: 'empresa', scope: 'documents:read' } as const
const answers = {
  method: 'POST',
  reach: 'empresa',
  scope: 'documents:write',
  params: ReceivedDocumentPath,
  returns: ReceivedDocument,
  afterCommit: registerAnswer,
} as const
const REFUSED = [
  'received_document_not_found',
  'received_document_not_answerable',
  'received_document_deadline_passed',
  'received_document_already_claimed',
  'received_document_unknown_to_sii',
  'sii_unreachable',
] as const

export const receivedDocumentOperations = [
  ...quarantineOperations,
  defineOperation({
    ...reads,
    id: 'received_documents.list',
    path: '/received_documents',
    summary: 'List the documents that suppliers sent',
    description:
      'Newest first by `received_at`; with bounds on `issue_date` or `deadline_at`, by that date. Bounds are inclusive.',
    query: ReceivedDocumentQuery,
    returns: listOf(ReceivedDocument),
    errors: ['invalid_cursor'],
    run: listReceived,
  }),
  defineExport({
    id: 'received_documents.export',
    path: '/received_documents',
    summary: 'Download the documents that suppliers sent as CSV or XLSX',
    scope: reads.scope,
    query: ReceivedDocumentQuery,
    item: ReceivedDocument,
    name: () => 'received_documents',
    list: listReceived,
  }),
  defineOperation({
    ...reads,
    id: 'received_documents.get',
    path: ONE,
    summary: 'Read a received document',
    description:
      "`authenticity` tells whether it is proven to be its emisor's, and what is missing where it is not. A better " +
      'proven document takes the place of the one under its emisor, tipo and folio, and keeps its id and its answers.',
    params: ReceivedDocumentPath,
    returns: ReceivedDocument,
    errors: ['received_document_not_found'],
    run: readReceived,
  }),
  defineOperation({
    ...reads,
    id: 'received_documents.replaced',
    path: `${ONE}/replaced`,
    summary: 'List what a received document took the place of',
    description: 'Documents that stood under its emisor, tipo and folio until a better proven one came, newest first.',
    params: ReceivedDocumentPath,
    returns: listOf(ReplacedDocument),
    errors: ['received_document_not_found'],
    run: listReplacedDocuments,
  }),
  defineOperation({
    ...reads,
    id: 'received_documents.xml',
    path: `${ONE}/xml`,
    summary: 'Download the signed XML of a received document',
    description: 'The very characters that the supplier signed, as a file of its own.',
    params: ReceivedDocumentPath,
    returns: artifact('application/xml'),
    limit: 'artifacts',
    errors: ['received_document_not_found'],
    run: readReceivedXml,
  }),
  defineOperation({
    ...reads,
    id: 'received_documents.pdf',
    path: `${ONE}/pdf`,
    summary: 'Download the PDF of a received document',
    description: 'Drawn by us from the XML of the supplier, amounts as written, with its timbre.',
    params: ReceivedDocumentPath,
    returns: artifact('application/pdf'),
    limit: 'artifacts',
    errors: ['received_document_not_found', 'artifact_not_available'],
    run: readReceivedPdf,
  }),
  defineOperation({
    ...answers,
    id: 'received_documents.accept',
    needs_certificate: true,
    path: `${ONE}/accept`,
    summary: 'Accept a received document',
    description:
      'Registers the acceptance of its content (ACD) with the SII, within eight days of its reception there. ' +
      'Accepting twice is once. After it the goods may still be acknowledged; it can no longer be claimed.',
    errors: [...REFUSED],
    mcp: { irreversible: acceptsReceived },
    run: acceptReceived,
  }),
  defineOperation({
    ...answers,
    id: 'received_documents.reject',
    needs_certificate: true,
    path: `${ONE}/reject`,
    summary: 'Claim against a received document',
    description:
      'Registers a claim with the SII, within eight days of its reception there. A claim against the content (RCD) and ' +
      'one against the goods (RFP or RFT) may follow each other; nothing else may follow a claim.',
    body: RejectReceived,
    errors: [...REFUSED, 'received_document_already_accepted'],
    mcp: { irreversible: rejectsReceived },
    run: rejectReceived,
  }),
  defineOperation({
    ...answers,
    id: 'received_documents.acknowledge_receipt',
    needs_certificate: true,
    path: `${ONE}/acknowledge_receipt`,
    summary: 'Acknowledge goods or services',
    description:
      'Registers the acknowledgement of goods or services (ERM, Ley 19.983) with the SII. It is not an acceptance, ' +
      'but after it the document can no longer be claimed.',
    body: AcknowledgeReceipt,
    errors: [...REFUSED],
    mcp: { irreversible: acknowledgesReceipt },
    run: acknowledgeReceipt,
  }),
]
