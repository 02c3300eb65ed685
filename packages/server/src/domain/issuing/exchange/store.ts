import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'

/** Keeps the envelope that was signed first, and gives it: every mail carries the same one. */
export async function saveEnvelope(
  sql: Sql,
  scope: EmpresaScope,
  document_id: string,
  xml: Uint8Array,
): Promise<Uint8Array> {
  const { account_id, empresa_id, mode } = scope
  await sql`
    insert into document_envelope (account_id, empresa_id, mode, document_id, xml)
    values (${account_id}, ${empresa_id}, ${mode}, ${document_id}, ${Buffer.from(xml)}) on conflict do nothing`
  return (await findEnvelope(sql, scope, document_id)) ?? xml
}

export async function findEnvelope(sql: Sql, scope: EmpresaScope, document_id: string): Promise<Buffer | null> {
  const [row] = await sql<{ xml: Buffer }>`
    select xml from document_envelope where ${ownedBy(scope)} and document_id = ${document_id}`
  return row?.xml ?? null
}
