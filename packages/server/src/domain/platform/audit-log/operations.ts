import { listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { listAuditLog } from './read.ts'
import { AuditEntry, AuditQuery } from './schema.ts'

export const auditLogOperations = [
  defineOperation({
    id: 'audit_log.list',
    method: 'GET',
    path: '/audit_log',
    summary: 'Read the audit log',
    description:
      'Who came in, with which credential and from where, and what was done to keys, grants, webhook secrets, passwords, ' +
      'CAFs, bank connections, contacts and what is sent to them, refused tries among it; newest first. Entries are never changed and kept for a year. ' +
      'Needs a root key or an account session; acts on the account itself, such as logins, are not shown to test keys.',
    reach: 'account',
    scope: 'keys:write',
    root_only: true,
    query: AuditQuery,
    returns: listOf(AuditEntry),
    errors: ['invalid_cursor', 'root_key_required'],
    mcp: { not: 'Who did what on the account is for the people who own it.' },
    run: listAuditLog,
  }),
]
