import { CEILINGS } from '../../../catalog/limits.ts'
import { listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { Job, pollAfterJob } from '../../platform/job/operations.ts'
import { deletesStatement } from './agent-copy.ts'
import { deleteStatement } from './delete.ts'
import { listStatements, readStatement } from './read.ts'
import { Statement, StatementPath, StatementPreview, StatementQuery, UploadStatement } from './schema.ts'
import { inspectUpload, previewStatement, uploadStatement } from './upload.ts'

const reads = { method: 'GET', reach: 'empresa', scope: 'documents:read' } as const
const writes = {
  method: 'POST',
  reach: 'empresa',
  scope: 'documents:write',
  body_bytes: CEILINGS.upload_body_bytes,
  body: UploadStatement,
  prepare: inspectUpload,
} as const

export const statementOperations = [
  defineOperation({
    ...reads,
    id: 'tax.statements.list',
    path: '/tax/statements',
    summary: 'List the cartolas that were uploaded',
    description: 'Newest first.',
    query: StatementQuery,
    returns: listOf(Statement),
    errors: ['invalid_cursor'],
    run: listStatements,
  }),
  defineOperation({
    ...writes,
    id: 'tax.statements.create',
    path: '/tax/statements',
    summary: 'Upload a cartola',
    description:
      'A CSV, XLSX or XLS file of a Chilean bank or card. Encoding, separator, header, columns, dates and signs are ' +
      'found in the file; the day always comes before the month. Every row is read before the answer: a cell that cannot be is ' +
      'refused with `param` naming its row and column (`file.rows[12].fecha`), and nothing is imported. Formulas are ' +
      'not calculated. Tables that follow the movements under a title of their own, such as a summary of fees, bring ' +
      'nothing; one that is not known is told in `understood.warnings`. A movement that an earlier cartola brought is counted as a duplicate, so the same file twice, ' +
      'or two periods that overlap, import nothing twice. Up to 250,000 rows.',
    returns: Job,
    pollAfter: pollAfterJob,
    status: 202,
    run: uploadStatement,
  }),
  defineOperation({
    ...writes,
    id: 'tax.statements.preview',
    path: '/tax/statements/previews',
    summary: 'Show what a cartola would bring',
    description: 'Reads it as an upload would, answers what was understood, and writes nothing.',
    returns: StatementPreview,
    run: previewStatement,
  }),
  defineOperation({
    ...reads,
    id: 'tax.statements.get',
    path: '/tax/statements/{statement_id}',
    summary: 'Read a cartola that was uploaded',
    params: StatementPath,
    returns: Statement,
    errors: ['statement_not_found'],
    run: readStatement,
  }),
  defineOperation({
    id: 'tax.statements.delete',
    method: 'DELETE',
    path: '/tax/statements/{statement_id}',
    summary: 'Undo a cartola',
    description:
      'Its movements go, with their expenses, what was guessed about them and open suggestions. What another cartola ' +
      'told too stays, as that one’s; what a bank connection told too is shown again. Refused while one of its ' +
      'movements is matched by somebody or to a tipo 46 that was issued for it. The file may be uploaded again.',
    reach: 'empresa',
    scope: 'documents:write',
    params: StatementPath,
    returns: null,
    errors: ['statement_not_found', 'statement_in_use'],
    mcp: { irreversible: deletesStatement },
    run: deleteStatement,
  }),
]
