import { CEILINGS } from '../../../catalog/limits.ts'
import { defineOperation } from '../../operation.ts'
import { emitsCreditNote } from '../document/agent-copy.ts'
import { COMPOSE_ERRORS } from '../document/compose.ts'
import { pollAfterDocument } from '../document/read.ts'
import { Document, DocumentPath } from '../document/schema.ts'
import { createCreditNote } from './create.ts'
import { CreateCreditNote } from './schema.ts'

export const creditNoteOperations = [
  defineOperation({
    id: 'documents.credit_note',
    method: 'POST',
    path: '/documents/{document_id}/credit_note',
    summary: 'Emit a nota de crédito over a document',
    description:
      'An empty body annuls the whole document: it becomes `annulled` once the SII accepts the nota. The nota copies ' +
      'the receptor; what a boleta does not carry (giro, street, comuna) comes from the address book. Six months after ' +
      'the original it is marked as one that no longer lowers the debit of IVA. For anything else write the nota out ' +
      'with POST /documents.',
    reach: 'empresa',
    scope: 'documents:write',
    params: DocumentPath,
    body_bytes: CEILINGS.document_body_bytes,
    body: CreateCreditNote,
    returns: Document,
    status: 201,
    paywalled: true,
    errors: [
      'document_not_found',
      'document_not_creditable',
      'credit_exceeds_original',
      'external_id_exists',
      ...COMPOSE_ERRORS,
    ],
    pollAfter: pollAfterDocument,
    mcp: { irreversible: emitsCreditNote },
    run: createCreditNote,
  }),
]
