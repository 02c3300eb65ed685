import type { EmpresaContext } from '../../kernel/context.ts'
import { holdDocument } from '../document/hold.ts'
import type { DocumentPath } from '../document/schema.ts'
import { endPublicLinks } from './store.ts'

/** Every link to the document stops working at once. */
export async function revokePublicLinks(ctx: EmpresaContext, input: DocumentPath): Promise<null> {
  await holdDocument(ctx, input)
  await endPublicLinks(ctx.sql, ctx.empresa, input.document_id, ctx.now())
  return null
}
