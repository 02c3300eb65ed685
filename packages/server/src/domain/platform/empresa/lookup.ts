import { MODES, type Mode } from '../../../catalog/modes.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Ambiente } from '../../../ports/sii.ts'
import type { EmpresaRow } from './row.ts'
import { DELETED, isEmpresa } from './sql.ts'

// The table of empresas belongs to this folder: other nouns ask here, or join with the fragments of sql.ts.

/** Empty when the empresa is gone. */
export async function findLegalName(sql: Sql, { account_id, empresa_id }: EmpresaScope): Promise<string> {
  const [row] = await sql<{ legal_name: string }>`
    select legal_name from empresa where account_id = ${account_id} and id = ${empresa_id} and mode <> ${DELETED}`
  return row?.legal_name ?? ''
}

/** Which of the SII's two worlds an empresa is in. */
export function ambienteOf({ mode, emitting_since }: Pick<EmpresaRow, 'mode' | 'emitting_since'>): Ambiente {
  return emitting_since !== null ? MODES[mode].ambiente_when_emitting : MODES[mode].ambiente
}

export async function findAmbiente(sql: Sql, scope: EmpresaScope): Promise<Ambiente> {
  const [row] = await sql<Pick<EmpresaRow, 'emitting_since'>>`
    select emitting_since from empresa where ${isEmpresa(scope)}`
  return ambienteOf({ mode: scope.mode, emitting_since: row?.emitting_since ?? null })
}

/** Keeps the empresa from being archived before the transaction ends, and gives its status. */
export async function lockEmpresaStatus(sql: Sql, scope: EmpresaScope): Promise<EmpresaRow['status'] | null> {
  const [row] = await sql<Pick<EmpresaRow, 'status'>>`select status from empresa where ${isEmpresa(scope)} for share`
  return row?.status ?? null
}

/** Keeps the empresa from being deleted before the transaction ends, for a call that names it in its input alone. */
export async function lockEmpresaPresence(sql: Sql, scope: EmpresaScope): Promise<boolean> {
  const rows = await sql`select 1 from empresa where ${isEmpresa(scope)} for key share`
  return rows.length > 0
}

/** The active empresas of an account in both modes, by name. */
export async function listActiveEmpresas(
  sql: Sql,
  account_id: string,
  limit: number,
): Promise<Pick<EmpresaRow, 'rut' | 'legal_name' | 'mode'>[]> {
  return sql<Pick<EmpresaRow, 'rut' | 'legal_name' | 'mode'>>`
    select rut, legal_name, mode from empresa where account_id = ${account_id} and status = 'active' and mode <> ${DELETED}
    order by legal_name, rut limit ${limit}`
}

/**
 * The empresa that an address of our mail domain belongs to. Senders change the case of an address at will, so it does
 * not count; an archived empresa takes no mail.
 */
export async function findByReceptionEmail(sql: Sql, address: string): Promise<EmpresaScope | null> {
  const [local = '', domain = ''] = address.split('@')
  const [row] = await sql<{ account_id: string; id: string; mode: Mode; rut: string }>`
    select account_id, id, mode, rut from empresa
    where reception_email = ${`${local.toUpperCase()}@${domain.toLowerCase()}`} and status <> 'archived'
      and not rut_released`
  return row ? { account_id: row.account_id, empresa_id: row.id, mode: row.mode, rut: row.rut } : null
}
