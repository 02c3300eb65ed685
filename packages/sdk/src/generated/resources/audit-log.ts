// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { AuditEntry, AuditLogListQuery } from '../types.ts'

export interface AuditLogResource {
  /**
   * Read the audit log.
   *
   * Who came in, with which credential and from where, and what was done to keys, grants, webhook secrets, passwords, CAFs, bank connections, contacts and what is sent to them, refused tries among it; newest first. Entries are never changed and kept for a year. Needs a root key or an account session; acts on the account itself, such as logins, are not shown to test keys.
   *
   * Scope: `keys:write`.
   *
   * @see http://127.0.0.1:3000/docs/reference/audit_log#audit_log.list
   */
  list(input?: AuditLogListQuery, options?: CallOptions): PageCall<List<AuditEntry>>
}

export const auditLog: ResourceOf<AuditLogResource> = /* @__PURE__ */ resource<AuditLogResource>({
  list: 'GET /audit_log ql',
})
