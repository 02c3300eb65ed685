import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { ReceivedKey } from './store.ts'

/** Lets nobody else number a document of this emisor and tipo until the transaction ends. */
export async function lockNumbering(
  sql: Sql,
  { empresa_id }: EmpresaScope,
  key: Omit<ReceivedKey, 'folio'>,
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${`received ${empresa_id} ${key.emisor_rut} ${key.tipo_dte}`}, 0))`
}

/** Whether a document of that emisor, tipo and folio has arrived. */
export async function hasReceived(sql: Sql, scope: EmpresaScope, key: ReceivedKey): Promise<boolean> {
  const rows = await sql<object>`
    select 1 from received_document where ${ownedBy(scope)} and emisor_rut = ${key.emisor_rut}
      and tipo_dte = ${key.tipo_dte} and folio = ${key.folio}`
  return rows.length > 0
}

/** The highest folio of an emisor and tipo that arrived; 0 where none has. */
export async function lastFolioOf(sql: Sql, scope: EmpresaScope, emisor_rut: string, tipo_dte: number) {
  const [row] = await sql<{ folio: number | null }>`
    select max(folio) as folio from received_document
    where ${ownedBy(scope)} and emisor_rut = ${emisor_rut} and tipo_dte = ${tipo_dte}`
  return row?.folio ?? 0
}
