import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Mandato } from './schema.ts'
import { showMandato } from './show.ts'
import { findMandato, insertMandato } from './store.ts'

/** The mandato of an empresa as a GET shows it. */
export async function mandatoOf(sql: Sql, scope: EmpresaScope): Promise<Mandato> {
  return showMandato(await findMandato(sql, scope), scope)
}

/** Somebody was asked to sign: `pending` where there was none, and nothing where there is one. */
export function expectMandato({ sql }: { readonly sql: Sql }, scope: EmpresaScope): Promise<void> {
  return insertMandato(sql, scope)
}

/**
 * The RUT of who signed the mandato that stands, on a page of ours; null where it was recorded over the API, which proves nothing,
 * or where none stands.
 */
export async function signerOnPage(sql: Sql, scope: EmpresaScope): Promise<string | null> {
  const row = await findMandato(sql, scope)
  return row?.status === 'signed' && row.via === 'hosted_page' ? row.signer_rut : null
}
