import type { EmpresaContext } from '../../context.ts'
import { lockDocument } from '../document/read.ts'
import type { DocumentPath } from '../document/schema.ts'
import { revokeLinks } from './mint.ts'

/** Every link to the document stops working at once. */
export async function revokePublicLinks(ctx: EmpresaContext, input: DocumentPath): Promise<null> {
  await lockDocument(ctx, input)
  await revokeLinks(ctx, { document_id: input.document_id })
  return null
}
