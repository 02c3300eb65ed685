import { pollAfterDocument } from '../../domain/issuing/document/read.ts'
import { Document, DocumentPath } from '../../domain/issuing/document/schema.ts'
import { defineOperation } from '../../domain/operation.ts'
import { ScriptEstado, scriptEstado } from './script-estado.ts'

export const sandboxSiiOperations = [
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
