import { artifact } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { Job, pollAfterJob } from '../../platform/job/operations.ts'
import { DocumentPath } from '../document/schema.ts'
import { cedesDocument } from './agent-copy.ts'
import { cedeDocument } from './cede.ts'
import { checkCedibility, prepareCedibility, prepareCesion } from './cedibility.ts'
import { readAec } from './read-aec.ts'
import { CedeDocument, Cedibility } from './schema.ts'

export const cesionOperations = [
  defineOperation({
    id: 'documents.cesion',
    method: 'POST',
    path: '/documents/{document_id}/cesion',
    summary: 'Ask whether a factura can be ceded',
    description:
      'Changes nothing. Tells everything that stands in the way (Ley 19.983), asking the SII where nothing here does: ' +
      'a receptor that claimed, or that has not answered in its eight days.',
    reach: 'empresa',
    scope: 'documents:read',
    params: DocumentPath,
    returns: Cedibility,
    // The truth changes: a replayed answer would be a stale one.
    idempotent: false,
    errors: ['document_not_found', 'sii_unreachable'],
    prepare: prepareCedibility,
    run: checkCedibility,
  }),
  defineOperation({
    id: 'documents.cede',
    needs_certificate: true,
    method: 'POST',
    path: '/documents/{document_id}/cede',
    summary: 'Cede a factura',
    description:
      'Hands the credit of a factura over to a cesionario, such as a factoring company, in the register of the SII. The ' +
      'job ends when the register has decided; `document.cesion_submitted`, then `document.cesion_confirmed` or ' +
      '`document.cesion_failed` tell of it, and the document shows it under `cesion`. A confirmed cesión is for good. ' +
      'In test mode the cesionario 77222201-7 is refused and 77222203-3 takes ten seconds.',
    reach: 'empresa',
    scope: 'documents:write',
    params: DocumentPath,
    body: CedeDocument,
    returns: Job,
    pollAfter: pollAfterJob,
    status: 202,
    errors: ['document_not_found', 'document_not_cedible'],
    prepare: prepareCesion,
    mcp: { irreversible: cedesDocument },
    lasting: true,
    run: cedeDocument,
  }),
  defineOperation({
    id: 'documents.aec',
    method: 'GET',
    path: '/documents/{document_id}/aec',
    summary: 'Download the signed AEC of a cesión',
    description:
      'The Archivo Electrónico de Cesión of the last cesión, the very bytes that went to the register of the SII. A ' +
      'cesionario asks for it to check who ceded what.',
    reach: 'empresa',
    scope: 'documents:read',
    params: DocumentPath,
    limit: 'artifacts',
    returns: artifact('application/xml'),
    errors: ['document_not_found', 'artifact_not_available', 'artifact_not_ready'],
    run: readAec,
  }),
]
