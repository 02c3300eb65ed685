import { defineOperation } from '../../operation.ts'
import { Job, pollAfterJob } from '../../platform/job/operations.ts'
import { DocumentPath } from '../document/schema.ts'
import { mailsTo } from './agent-copy.ts'
import { sendDocument } from './request.ts'
import { SendDocument } from './schema.ts'

export const documentSendOperations = [
  defineOperation({
    id: 'documents.send',
    method: 'POST',
    path: '/documents/{document_id}/send',
    summary: 'Mail a document to its receptor',
    description:
      'Asynchronous: one letter a recipient, with the PDF, the XML and the signed envelope attached, and for each `document.emailed` or ' +
      '`document.email_failed`. Contacts that opted out are never mailed. In test mode letters reach the confirmed ' +
      'address of the account alone; to anybody else they count as taken and go nowhere, and to `bounce@` any domain ' +
      'they are refused.',
    reach: 'empresa',
    scope: 'documents:write',
    paywalled: true,
    limit: 'documents.send',
    params: DocumentPath,
    body: SendDocument,
    returns: Job,
    pollAfter: pollAfterJob,
    status: 202,
    errors: ['document_not_found', 'document_not_sendable', 'recipient_missing', 'recipient_opted_out'],
    mcp: { irreversible: mailsTo },
    run: sendDocument,
  }),
]
