import { listOf, listQuery } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { DocumentPath } from '../document/schema.ts'
import { revokesLinks } from './agent-copy.ts'
import { createPublicLink, listPublicLinks, revokePublicLinks } from './public-link.ts'
import { CreatePublicLink, PublicLink, PublicLinkWithUrl } from './schema.ts'

const LINKS = '/documents/{document_id}/public_links'

export const publicLinkOperations = [
  defineOperation({
    id: 'documents.public_links.create',
    method: 'POST',
    path: LINKS,
    summary: 'Create or rotate a public link',
    description:
      'An address where anyone who has it sees the document and downloads its PDF and XML, without a credential. The ' +
      'living link of the same kind (plain or cedible) stops working. The address is told this once.',
    reach: 'empresa',
    scope: 'documents:write',
    params: DocumentPath,
    body: CreatePublicLink,
    returns: PublicLinkWithUrl,
    status: 201,
    errors: ['account_limit_reached', 'document_not_found'],
    run: createPublicLink,
  }),
  defineOperation({
    id: 'documents.public_links.list',
    method: 'GET',
    path: LINKS,
    summary: 'List the public links of a document',
    description: 'Newest first, those that were revoked too. Never their addresses.',
    reach: 'empresa',
    scope: 'documents:read',
    params: DocumentPath,
    query: listQuery({}),
    returns: listOf(PublicLink),
    errors: ['document_not_found', 'invalid_cursor'],
    run: listPublicLinks,
  }),
  defineOperation({
    id: 'documents.public_links.delete',
    method: 'DELETE',
    path: LINKS,
    summary: 'Revoke every public link of a document',
    reach: 'empresa',
    scope: 'documents:write',
    params: DocumentPath,
    returns: null,
    allows_inactive: true,
    errors: ['document_not_found'],
    mcp: { irreversible: revokesLinks },
    run: revokePublicLinks,
  }),
]
