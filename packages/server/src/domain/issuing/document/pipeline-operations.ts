import { defineOperation } from '../../operation.ts'
import { pollAfterDocument } from './poll.ts'
import { retryDocument } from './retry.ts'
import { Document, DocumentPath } from './schema.ts'
import { ScriptEstado, scriptEstado } from './script-estado.ts'

/** What a caller may do to a document on its way. */
export const pipelineOperations = [
  defineOperation({
    id: 'documents.retry',
    method: 'POST',
    path: '/documents/{document_id}/retry',
    summary: 'Try a failed document again',
    description: 'It goes back to `queued` with the folio and the signature it already had.',
    reach: 'empresa',
    scope: 'documents:write',
    params: DocumentPath,
    returns: Document,
    errors: ['document_not_found', 'document_not_failed', 'document_not_creditable', 'credit_exceeds_original'],
    pollAfter: pollAfterDocument,
    run: retryDocument,
  }),
  defineOperation({
    id: 'test_helpers.documents.estado',
    method: 'POST',
    path: '/test_helpers/documents/{document_id}/estado',
    summary: 'Decide what becomes of a sandbox document',
    description:
      'Before it is settled. A document that was sent is settled at once, one that is still queued as soon as it is sent. ' +
      'The guide to test mode lists receptores and totals that do the same without a call.',
    reach: 'empresa',
    scope: 'documents:write',
    test_only: true,
    params: DocumentPath,
    body: ScriptEstado,
    returns: Document,
    errors: ['document_not_found', 'document_already_settled'],
    pollAfter: pollAfterDocument,
    run: scriptEstado,
  }),
]
