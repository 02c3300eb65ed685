import type { Sql } from '../../../kernel/db.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { DocumentPath } from './schema.ts'
import type { DocumentRow } from './show.ts'
import { findDocument, lockDocument } from './store.ts'

/** A document, held until the transaction ends: what is decided on it stays true. */
export async function holdDocument(
  ctx: { readonly sql: Sql; readonly empresa: EmpresaScope },
  { document_id }: DocumentPath,
): Promise<DocumentRow> {
  const row = await lockDocument(ctx.sql, ctx.empresa, document_id)
  if (!row) throw new Problem('document_not_found')
  return row
}

/** The same as it is now, for jobs; null when it went with its empresa. */
export function documentOfJob(sql: Sql, scope: EmpresaScope, document_id: string): Promise<DocumentRow | null> {
  return findDocument(sql, scope, document_id)
}
