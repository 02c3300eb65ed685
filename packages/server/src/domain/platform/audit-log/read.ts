import { MODES } from '../../../catalog/modes.ts'
import { type ListPage, pageById } from '../../../kernel/cursor.ts'
import type { AccountContext } from '../../context.ts'
import { reachedRuts } from '../empresa/scope.ts'
import type { AuditEntry, AuditQuery } from './schema.ts'
import { type AuditFilter, type AuditRow, listEntries } from './store.ts'

function showEntry(row: AuditRow): AuditEntry {
  const { id, action, outcome, code, mode, empresa_id, empresa_rut, subject, request_id } = row
  return {
    object: 'audit_entry',
    id,
    created_at: row.created_at.toISOString(),
    action,
    outcome,
    code,
    mode,
    empresa: empresa_id === null || empresa_rut === null ? null : { id: empresa_id, rut: empresa_rut },
    actor: { kind: row.actor_kind, id: row.actor_id, ip: row.ip },
    subject,
    request_id,
  }
}

/** A person sees the acts on the account beside those of the mode, and so does a key of a mode that is trusted with them. */
export async function listAuditLog(ctx: AccountContext, input: AuditQuery): Promise<ListPage<AuditEntry>> {
  const { account, caller } = ctx
  const { limit, cursor, ...filters } = input
  const of_account = caller.kind === 'session' || MODES[account.mode].keys_see_account_acts
  const filter: AuditFilter = { ...filters, of_account, reach: reachedRuts(caller) }
  const fetch = (page: { before: string | null; take: number }) => listEntries(ctx.sql, account, filter, page)
  return pageById(ctx, 'audit_log', { ...account, ...filter }, { limit, cursor }, fetch, showEntry)
}
