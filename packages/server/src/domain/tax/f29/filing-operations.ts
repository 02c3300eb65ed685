import { listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { filesF29 } from './agent-copy.ts'
import { fileF29 } from './file.ts'
import { F29Filing, FileF29, FilingOutcome, FilingPath, FilingQuery, OperatorFilingPath } from './filing-schema.ts'
import { listFilings, readFiling } from './filings.ts'
import { recordOutcome } from './outcome.ts'

const FILINGS = '/tax/f29/filings'

export const f29FilingOperations = [
  defineOperation({
    id: 'tax.f29.filings.list',
    method: 'GET',
    path: FILINGS,
    summary: 'List F29 filings',
    description: 'Newest first, those that failed too.',
    reach: 'empresa',
    scope: 'documents:read',
    query: FilingQuery,
    returns: listOf(F29Filing),
    errors: ['invalid_cursor'],
    run: listFilings,
  }),
  defineOperation({
    id: 'tax.f29.filings.create',
    method: 'POST',
    path: FILINGS,
    summary: 'File the F29 of a period',
    description:
      'Asynchronous. The proposal is computed once more and its figures are frozen in the filing; the period is closed ' +
      'to changes. In test mode the SII answers about a second later. In live mode a person of the operator files it: ' +
      'the SII has no public contract for programs. A filing that failed may be made again.',
    reach: 'empresa',
    scope: 'documents:write',
    limit: 'tax.f29.file',
    body: FileF29,
    returns: F29Filing,
    status: 202,
    errors: ['f29_proposal_not_found', 'f29_already_filed', 'f29_total_mismatch', 'f29_proposal_incomplete'],
    mcp: { irreversible: filesF29 },
    run: fileF29,
  }),
  defineOperation({
    id: 'tax.f29.filings.get',
    method: 'GET',
    path: `${FILINGS}/{filing_id}`,
    summary: 'Read an F29 filing',
    reach: 'empresa',
    scope: 'documents:read',
    params: FilingPath,
    returns: F29Filing,
    errors: ['f29_filing_not_found'],
    run: readFiling,
  }),
  defineOperation({
    id: 'tax.f29.filings.outcome',
    method: 'POST',
    path: '/empresas/{empresa_id}/f29/filings/{filing_id}/outcome',
    summary: 'Say what came of a filing that waited for the operator',
    description: 'For the operator alone, who filed it by hand.',
    reach: 'operator',
    params: OperatorFilingPath,
    body: FilingOutcome,
    returns: F29Filing,
    errors: ['confirmation_required', 'f29_filing_not_found', 'f29_filing_settled'],
    run: recordOutcome,
  }),
]
