import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { MandatoVia, Signer } from './schema.ts'
import type { MandatoRow } from './show.ts'

export async function findMandato(sql: Sql, scope: EmpresaScope): Promise<MandatoRow | null> {
  const [row] = await sql<MandatoRow>`
    select id, status, terms_version, signer_rut, signer_name, signer_role, via, signed_at, revoked_at
    from mandato where ${ownedBy(scope)}`
  return row ?? null
}

/** Pending, where there was none. */
export async function insertMandato(sql: Sql, scope: EmpresaScope): Promise<void> {
  await sql`
    insert into mandato (account_id, empresa_id, mode, id)
    values (${scope.account_id}, ${scope.empresa_id}, ${scope.mode}, ${newId('mandato')})
    on conflict (empresa_id) do nothing`
}

export interface Signature {
  readonly terms_version: string
  readonly signer: Signer
  readonly via: MandatoVia
  readonly signed_at: Date
}

export async function saveSignature(sql: Sql, scope: EmpresaScope, one: Signature): Promise<string> {
  const [row] = await sql<{ id: string }>`
    update mandato set terms_version = ${one.terms_version}, signer_rut = ${one.signer.rut},
      signer_name = ${one.signer.name}, signer_role = ${one.signer.role}, via = ${one.via}, signed_at = ${one.signed_at},
      revoked_at = null
    where ${ownedBy(scope)} returning id`
  if (!row) throw new Error(`the mandato of ${scope.empresa_id} went away while it was signed`)
  return row.id
}

export async function saveRevocation(sql: Sql, scope: EmpresaScope, revoked_at: Date): Promise<void> {
  await sql`update mandato set revoked_at = ${revoked_at} where ${ownedBy(scope)}`
}
