import { HOUR_SECONDS } from '../../../catalog/time.ts'
import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Vault } from '../../../kernel/vault.ts'
import { findSealed, saveLastRefusal, saveLastUse } from './store.ts'

/** The owner a password is sealed for in the vault: that of another empresa or person does not open. */
export function credentialOwner({ empresa_id }: Pick<EmpresaScope, 'empresa_id'>, rut: string): string {
  return `sfg_credential:${empresa_id}:${rut}`
}

/** Who signs on the free portal for an empresa, and its password there; null when none is in custody, or it is suspended. */
export async function openSfgCredential(
  sql: Sql,
  vault: Vault,
  scope: EmpresaScope,
): Promise<{ readonly rut: string; readonly password: string } | null> {
  const row = await findSealed(sql, scope)
  if (!row) return null
  const now = new Date(systemNow())
  const { rut, last_used_at } = row
  if (last_used_at === null || secondsFrom(last_used_at, HOUR_SECONDS) <= now) await saveLastUse(sql, scope, now)
  return { rut, password: Buffer.from(vault.open(credentialOwner(scope, rut), row.sealed)).toString('utf8') }
}

/** The SII refused the password. */
export function recordSfgRefusal(sql: Sql, scope: EmpresaScope): Promise<void> {
  return saveLastRefusal(sql, scope, new Date(systemNow()))
}
