import type { EmpresaContext } from '../../context.ts'
import { holdDocument } from '../document/lock.ts'
import type { DocumentPath } from '../document/schema.ts'
import { revokeLinks } from './mint.ts'

/** Every link to the document stops working at once. */
export async function revokePublicLinks(ctx: EmpresaContext, input: DocumentPath): Promise<null> {
  await holdDocument(ctx, input)
  await revokeLinks(ctx, { document_id: input.document_id })
  return null
}
