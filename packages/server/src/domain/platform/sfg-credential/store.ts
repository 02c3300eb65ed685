import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import { ofActiveEmpresa } from '../empresa/sql.ts'

/** The row without the password: only `openSfgCredential` opens that. */
export interface SfgCredentialRow {
  readonly rut: string
  readonly stored_at: Date
  readonly last_used_at: Date | null
  readonly last_refused_at: Date | null
}

export async function findCredential(sql: Sql, scope: EmpresaScope): Promise<SfgCredentialRow | null> {
  const [row] = await sql<SfgCredentialRow>`
    select rut, stored_at, last_used_at, last_refused_at from sfg_credential where ${ownedBy(scope)}`
  return row ?? null
}

/** Where it may be used: that of a suspended empresa stays closed. */
export async function findSealed(sql: Sql, scope: EmpresaScope) {
  const [row] = await sql<SfgCredentialRow & { sealed: Buffer }>`
    select rut, stored_at, last_used_at, last_refused_at, sealed from sfg_credential
    where ${ownedBy(scope)} and ${ofActiveEmpresa('sfg_credential')}`
  return row ?? null
}

export async function replaceCredential(
  sql: Sql,
  scope: EmpresaScope,
  { rut, sealed, stored_at }: { readonly rut: string; readonly sealed: Uint8Array; readonly stored_at: Date },
): Promise<SfgCredentialRow> {
  await deleteCredential(sql, scope)
  const [row] = await sql<SfgCredentialRow>`
    insert into sfg_credential (account_id, empresa_id, mode, rut, sealed, stored_at)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${rut}, ${sealed}, ${stored_at})
    returning rut, stored_at, last_used_at, last_refused_at`
  return row as SfgCredentialRow
}

export async function deleteCredential(sql: Sql, scope: EmpresaScope): Promise<boolean> {
  const deleted = await sql`delete from sfg_credential where ${ownedBy(scope)} returning rut`
  return deleted.length > 0
}

export async function deleteCredentialsOf(sql: Sql, account_id: string): Promise<void> {
  await sql`delete from sfg_credential where account_id = ${account_id}`
}

export async function saveLastUse(sql: Sql, scope: EmpresaScope, at: Date): Promise<void> {
  await sql`update sfg_credential set last_used_at = ${at} where ${ownedBy(scope)}`
}

export async function saveLastRefusal(sql: Sql, scope: EmpresaScope, at: Date): Promise<void> {
  await sql`update sfg_credential set last_refused_at = ${at} where ${ownedBy(scope)}`
}
