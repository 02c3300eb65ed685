import { artifact, listOf, listQuery } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { RcvEntry } from '../rcv/schema.ts'
import { readUploadFile } from './download.ts'
import { f29FilingOperations } from './filing-operations.ts'
import { listEntriesBehind, listProposals, readProposal } from './read.ts'
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
      'as it was said before, null takes it back. A filed period keeps the figures it was filed with.',
    params: PeriodPath,
    body: Recompute,
    returns: F29Proposal,
    errors: ['period_locked'],
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
    errors: ['f29_proposal_not_found'],
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
    run: unshareProposal,
  }),
]

export const f29Operations = [...proposalOperations, ...linkOperations, ...f29FilingOperations]
