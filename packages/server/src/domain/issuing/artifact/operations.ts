import { artifact } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { DocumentPath } from '../document/schema.ts'
import { readPdf, readXml } from './read.ts'
import { PdfQuery } from './schema.ts'

const common = {
  method: 'GET',
  reach: 'empresa',
  scope: 'documents:read',
  params: DocumentPath,
  limit: 'artifacts',
  errors: ['document_not_found', 'artifact_not_available', 'artifact_not_ready'],
} as const

export const artifactOperations = [
  defineOperation({
    ...common,
    id: 'documents.pdf',
    path: '/documents/{document_id}/pdf',
    summary: 'Download the PDF of a document',
    description:
      'The printed representation, with its timbre. Printed when first asked for and the same from then on. It exists ' +
      'as soon as the document is signed, a moment after its creation; until then `409 artifact_not_ready` says when to ask again.',
    query: PdfQuery,
    returns: artifact('application/pdf'),
    run: readPdf,
  }),
  defineOperation({
    ...common,
    id: 'documents.xml',
    path: '/documents/{document_id}/xml',
    summary: 'Download the signed XML of a document',
    description: 'The very bytes that were sent to the SII, in ISO-8859-1: any other copy would not verify.',
    returns: artifact('application/xml'),
    run: readXml,
  }),
]
