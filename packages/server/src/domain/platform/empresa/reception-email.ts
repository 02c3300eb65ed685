import type { Mode } from '../../../catalog/modes.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'

/**
 * The empresa that an address of our mail domain belongs to. Senders change the case of an address at will, so it does
 * not count; an archived empresa takes no mail.
 */
export async function findByReceptionEmail(sql: Sql, address: string): Promise<EmpresaScope | null> {
  const [local = '', domain = ''] = address.split('@')
  const [row] = await sql<{ account_id: string; id: string; mode: Mode; rut: string }>`
    select account_id, id, mode, rut from empresa
    where reception_email = ${`${local.toUpperCase()}@${domain.toLowerCase()}`} and status <> 'archived'`
  return row ? { account_id: row.account_id, empresa_id: row.id, mode: row.mode, rut: row.rut } : null
}
