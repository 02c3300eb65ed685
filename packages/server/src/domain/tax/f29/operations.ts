import { artifact, listOf, listQuery } from '../../../kernel/schema.ts'
import { defineExport } from '../../export.ts'
import { revokesLinks } from '../../issuing/public-link/agent-copy.ts'
import { defineOperation } from '../../operation.ts'
import { RcvEntry } from '../rcv/schema.ts'
import { filesF29 } from './agent-copy.ts'
import { fileF29 } from './file.ts'
import { F29Filing, FileF29, FilingOutcome, FilingPath, FilingQuery, OperatorFilingPath } from './filing-schema.ts'
import { listFilings, readFiling, recordOutcome } from './filings.ts'
import { listEntriesBehind, listProposals, readProposal, readUploadFile } from './read.ts'
import { recomputeProposal } from './recompute.ts'
import { CodePath, F29Proposal, PeriodPath, ProposalQuery, Recompute } from './schema.ts'
import { F29PublicLink, ShareProposal, shareProposal, unshareProposal } from './share.ts'

const PROPOSAL = '/tax/f29/proposals/{period}'
const reads = { method: 'GET', reach: 'empresa', scope: 'documents:read' } as const
const writes = { method: 'POST', reach: 'empresa', scope: 'documents:write' } as const

const proposalOperations = [
  defineOperation({
    ...reads,
    id: 'tax.f29.proposals.list',
    path: '/tax/f29/proposals',
    summary: 'List F29 proposals',
    description: 'Newest period first.',
    query: ProposalQuery,
    returns: listOf(F29Proposal),
    errors: ['invalid_cursor'],
    run: listProposals,
  }),
  defineOperation({
    ...reads,
    id: 'tax.f29.proposals.get',
    path: PROPOSAL,
    summary: 'Read the F29 proposal of a period',
    description:
      'Code by code, with what each is made of, what the last compute changed, where the SII proposes otherwise, and ' +
      'what somebody should look at before filing.',
    params: PeriodPath,
    returns: F29Proposal,
    errors: ['f29_proposal_not_found'],
    run: readProposal,
  }),
  defineOperation({
    ...reads,
    id: 'tax.f29.proposals.entries',
    path: `${PROPOSAL}/codes/{code}`,
    summary: 'List the entries behind a code',
    description: 'The very entries of the registers that the last compute added up, newest first. Totals have none.',
    params: CodePath,
    query: listQuery({}),
    returns: listOf(RcvEntry),
    errors: ['f29_proposal_not_found', 'invalid_cursor'],
    run: listEntriesBehind,
  }),
  defineExport({
    id: 'tax.f29.proposals.entries_export',
    path: `${PROPOSAL}/codes/{code}`,
    summary: 'Download the entries behind a code as CSV or XLSX',
    scope: reads.scope,
    params: CodePath,
    query: listQuery({}),
    item: RcvEntry,
    errors: ['f29_proposal_not_found'],
    name: ({ period, code }) => `f29-${period}-${code}`,
    list: listEntriesBehind,
  }),
  defineOperation({
    ...reads,
    id: 'tax.f29.proposals.upload_file',
    path: `${PROPOSAL}/upload_file`,
    summary: 'Download the proposal as the upload file of the SII',
    description: 'A person loads it at "Declarar y pagar" of the SII, which works out the totals again.',
    params: PeriodPath,
    returns: artifact('text/plain'),
    limit: 'artifacts',
    errors: ['f29_proposal_not_found'],
    run: readUploadFile,
  }),
  defineOperation({
    ...writes,
    id: 'tax.f29.proposals.recompute',
    path: `${PROPOSAL}/recompute`,
    summary: 'Compute the F29 proposal of a period now',
    description:
      'With figures that the registers do not know, and overrides of codes that are not sums. What is left out stays ' +
      'as it was said before, null takes it back. A filed period takes none, unless `rectify` opens it for a ' +
      'rectificatoria; its filing keeps the figures it was filed with.',
    params: PeriodPath,
    body: Recompute,
    returns: F29Proposal,
    errors: ['period_locked', 'amounts_too_large'],
    run: recomputeProposal,
  }),
]

const linkOperations = [
  defineOperation({
    ...writes,
    id: 'tax.f29.proposals.public_links.create',
    path: `${PROPOSAL}/public_links`,
    summary: 'Create or rotate the public link of a proposal',
    description:
      'An address where an accountant who has it reads and prints the proposal and the documents behind each code, ' +
      'without a credential. The living link stops working. The address is told this once.',
    params: PeriodPath,
    body: ShareProposal,
    returns: F29PublicLink,
    status: 201,
    errors: ['account_limit_reached', 'f29_proposal_not_found'],
    run: shareProposal,
  }),
  defineOperation({
    ...writes,
    method: 'DELETE',
    id: 'tax.f29.proposals.public_links.delete',
    path: `${PROPOSAL}/public_links`,
    summary: 'Revoke the public link of a proposal',
    params: PeriodPath,
    returns: null,
    allows_inactive: true,
    errors: ['f29_proposal_not_found'],
    mcp: { irreversible: revokesLinks },
    run: unshareProposal,
  }),
]

const FILINGS = '/tax/f29/filings'

const filingOperations = [
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
    needs_certificate: true,
    method: 'POST',
    path: FILINGS,
    summary: 'File the F29 of a period',
    description:
      'Asynchronous. The proposal is computed once more: where that changes a figure nobody has seen, nothing is filed. Its ' +
      'figures are frozen in the filing, and the period is closed to changes. In test mode the SII answers about a second later. In live mode a person of the operator files it: ' +
      'the SII has no public contract for programs. A filing that failed may be made again; one that ' +
      'was accepted is corrected by another that names it in `rectifies`.',
    reach: 'empresa',
    scope: 'documents:write',
    limit: 'tax.f29.file',
    body: FileF29,
    returns: F29Filing,
    status: 202,
    errors: [
      'f29_proposal_not_found',
      'f29_already_filed',
      'f29_nothing_to_rectify',
      'f29_proposal_changed',
      'f29_total_mismatch',
      'f29_proposal_incomplete',
    ],
    mcp: { irreversible: filesF29 },
    lasting: true,
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
    audited: true,
    run: recordOutcome,
  }),
]

export const f29Operations = [...proposalOperations, ...linkOperations, ...filingOperations]
