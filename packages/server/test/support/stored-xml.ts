import { findSignedXml } from '../../src/domain/issuing/document/read.ts'
import type { EmpresaScope } from '../../src/kernel/scope.ts'
import type { World } from './world.ts'

/** The XML of a document as it was signed, read past the API; undefined before it is. */
export async function storedXml(world: World, document_id: string): Promise<Buffer | undefined> {
  const [scope] = await world.db.sql<EmpresaScope>`
    select d.account_id, d.empresa_id, d.mode, e.rut from document d join empresa e on e.id = d.empresa_id
    where d.id = ${document_id}`
  return (scope && (await findSignedXml(world.db.sql, scope, document_id))) ?? undefined
}
