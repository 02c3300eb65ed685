import { TIPO } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaContext } from '../../context.ts'
import { listNotesInForce, type NoteInForce } from '../document/corrections.ts'
import { findDocument, findDocumentForUpdate } from '../document/read.ts'
import type { DocumentPath } from '../document/schema.ts'
import type { DocumentRow } from '../document/show.ts'
import { annulledBy, type Balance, balanceOf, refuseExcess } from './rules.ts'

/** What the notas de crédito in force took of a document. */
export interface Credited {
  readonly left: Balance
  /** The nota that annuls it, on its way or accepted. */
  readonly annulment: NoteInForce | null
}

export async function creditedOf(sql: Sql, scope: EmpresaScope, document: DocumentRow): Promise<Credited> {
  const notes = await listNotesInForce(sql, scope, document.id)
  const annulment = notes.find(({ annuls_id }) => annuls_id === document.id) ?? null
  return { left: balanceOf(document, notes), annulment }
}

/**
 * Locks the document that a nota de crédito corrects; null for anything else. Every transaction that locks both takes
 * the original first, the older of the two, so that none waits for another in a circle.
 */
export async function lockOriginalOf(ctx: EmpresaContext, { document_id }: DocumentPath): Promise<DocumentRow | null> {
  const note = await findDocument(ctx.sql, ctx.empresa, document_id)
  if (note?.tipo_dte !== TIPO.nota_de_credito || note.corrects_id === null) return null
  return findDocumentForUpdate(ctx.sql, ctx.empresa, note.corrects_id)
}

/**
 * Refuses to retry a nota that no longer fits. While it had failed it credited nothing, so others may have credited
 * the original. Only that is checked again; the other rules were settled when it was issued.
 */
export async function refuseOvertaken(ctx: EmpresaContext, note: DocumentRow, original: DocumentRow): Promise<void> {
  const others = await listNotesInForce(ctx.sql, ctx.empresa, original.id)
  const annulment = others.find(({ annuls_id }) => annuls_id === original.id)
  if (annulment) throw annulledBy(annulment)
  if (others.length > 0) refuseExcess(balanceOf(original, others), note)
}
