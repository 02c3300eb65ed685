import { CEILINGS } from '../../../catalog/limits.ts'
import { listOf } from '../../../kernel/schema.ts'
import { defineExport } from '../../export.ts'
import { defineOperation } from '../../operation.ts'
import { emitsDocument } from './agent-copy.ts'
import { COMPOSE_ERRORS } from './compose.ts'
import { createDocument } from './create.ts'
import { CreateDocument } from './create-schema.ts'
import { isLed } from './list-store.ts'
import { DocumentPreview, PreviewPath, previewDocument, readPreview } from './preview.ts'
import { listIssuedDocuments, listJournal, pollAfterDocument, readDocument } from './read.ts'
import { retryDocument } from './retry.ts'
import { Document, DocumentPath, DocumentQuery, JournalEntry, JournalPage } from './schema.ts'

const REFUSED = [
  ...COMPOSE_ERRORS,
  'tipo_not_available_for_channel',
  'sfg_guia_zero_amount',
  'guia_not_invoiceable',
] as const

export const documentOperations = [
  defineOperation({
    id: 'documents.list',
    method: 'GET',
    path: '/documents',
    summary: 'List the documents an empresa issued',
    description:
      'Newest first by `created_at`. Bounds are inclusive. Headings alone; `expand=items` adds what GET …/{document_id} shows.',
    reach: 'empresa',
    scope: 'documents:read',
    steady: isLed,
    query: DocumentQuery,
    returns: listOf(Document),
    errors: ['invalid_cursor'],
    run: listIssuedDocuments,
  }),
  defineExport({
    id: 'documents.export',
    path: '/documents',
    summary: 'Download the documents an empresa issued as CSV or XLSX',
    scope: 'documents:read',
    query: DocumentQuery,
    item: Document,
    name: () => 'documents',
    steady: isLed,
    list: listIssuedDocuments,
  }),
  defineOperation({
    id: 'documents.create',
    method: 'POST',
    path: '/documents',
    summary: 'Issue a document',
    description:
      'Answers at once with status `queued` and no folio. The document is then numbered, signed, sent and settled; ' +
      'webhooks tell each step, or poll it as `Svc-Poll-After` says. In test mode it is accepted about a second later.',
    reach: 'empresa',
    scope: 'documents:write',
    body_bytes: CEILINGS.document_body_bytes,
    body: CreateDocument,
    returns: Document,
    status: 201,
    limit: 'documents.create',
    idempotent: 'required',
    paywalled: true,
    one_statement: true,
    errors: [...REFUSED, 'external_id_exists', 'document_not_creditable'],
    pollAfter: pollAfterDocument,
    mcp: { irreversible: emitsDocument },
    run: createDocument,
  }),
  defineOperation({
    id: 'documents.previews.create',
    method: 'POST',
    path: '/documents/previews',
    summary: 'Price and check a document without issuing it',
    description: 'Takes the body of POST /documents. It spends no folio, reserves nothing and can be read for a day.',
    reach: 'empresa',
    scope: 'documents:write',
    body_bytes: CEILINGS.document_body_bytes,
    body: CreateDocument,
    returns: DocumentPreview,
    status: 201,
    errors: REFUSED,
    run: previewDocument,
  }),
  defineOperation({
    id: 'documents.previews.get',
    method: 'GET',
    path: '/documents/previews/{preview_id}',
    summary: 'Read a preview',
    reach: 'empresa',
    scope: 'documents:read',
    params: PreviewPath,
    returns: DocumentPreview,
    errors: ['document_preview_not_found'],
    run: readPreview,
  }),
  defineOperation({
    id: 'documents.get',
    method: 'GET',
    path: '/documents/{document_id}',
    summary: 'Read a document',
    description: 'All of it as it was issued: lines, discounts, taxes, references, payment terms and dispatch.',
    reach: 'empresa',
    scope: 'documents:read',
    params: DocumentPath,
    returns: Document,
    errors: ['document_not_found'],
    pollAfter: pollAfterDocument,
    run: readDocument,
  }),
  defineOperation({
    id: 'documents.events',
    method: 'GET',
    path: '/documents/{document_id}/events',
    summary: 'Read the journal of a document',
    description: 'Oldest first. It starts at the folio, and is finer than the public status.',
    reach: 'empresa',
    scope: 'documents:read',
    params: DocumentPath,
    query: JournalPage,
    returns: listOf(JournalEntry),
    errors: ['document_not_found', 'invalid_cursor'],
    run: listJournal,
  }),
]

/** Listed apart: the contract has it after the operations of the notas and the cesión. */
export const documentRetryOperations = [
  defineOperation({
    id: 'documents.retry',
    method: 'POST',
    path: '/documents/{document_id}/retry',
    summary: 'Try a failed document again',
    description:
      'It goes back to `queued` with the folio and the signature it already had. One that is `sent` and that the SII lost (`failure.code` `sii_lost_envelope`) stays `sent` and is sent again; one that it has with other data (`sii_data_differ`) is asked about anew.',
    reach: 'empresa',
    scope: 'documents:write',
    params: DocumentPath,
    returns: Document,
    errors: [
      'document_not_found',
      'document_not_failed',
      'document_not_creditable',
      'credit_exceeds_original',
      'guia_not_invoiceable',
    ],
    pollAfter: pollAfterDocument,
    run: retryDocument,
  }),
]
