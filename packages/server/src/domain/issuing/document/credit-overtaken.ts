import type { EmpresaContext } from '../../context.ts'
import { creditNotesOf } from './credit-note-store.ts'
import { annulledBy, balanceOf, refuseExcess } from './credit-rules.ts'
import type { DocumentPath } from './schema.ts'
import type { DocumentRow } from './show.ts'
import { findDocument, lockDocument } from './store.ts'

const NOTA_DE_CREDITO = 61

/**
 * The document that a nota de crédito corrects, held until the transaction ends; null for anything else. It is held
 * before the nota itself, as everybody does who holds both: an original is older than its notas.
 */
export async function holdOriginalOf(ctx: EmpresaContext, { document_id }: DocumentPath): Promise<DocumentRow | null> {
  const note = await findDocument(ctx.sql, ctx.empresa, document_id)
  if (note?.tipo_dte !== NOTA_DE_CREDITO || note.corrects_id === null) return null
  return lockDocument(ctx.sql, ctx.empresa, note.corrects_id)
}

/**
 * A nota that failed credits nothing, so others may have credited the original meanwhile: it comes back if it still
 * fits. What else was true when it was issued is not judged again.
 */
export async function refuseOvertaken(ctx: EmpresaContext, note: DocumentRow, original: DocumentRow): Promise<void> {
  const others = await creditNotesOf(ctx.sql, ctx.empresa, original.id)
  const annulment = others.find(({ annuls_id }) => annuls_id === original.id)
  if (annulment) throw annulledBy(annulment)
  if (others.length > 0) refuseExcess(balanceOf(original, others), note)
}
