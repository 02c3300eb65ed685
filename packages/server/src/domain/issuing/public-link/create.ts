import { invalidField } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { noCedible } from '../artifact/format.ts'
import { lockDocument } from '../document/read.ts'
import type { DocumentPath } from '../document/schema.ts'
import { isCedible } from '../document/show.ts'
import { mintLink } from './mint.ts'
import type { CreatePublicLink, PublicLinkWithUrl } from './schema.ts'
import { showPublicLink } from './show.ts'

/** A link to a document; the one of its kind that there was before stops working. */
export async function createPublicLink(
  ctx: EmpresaContext,
  input: DocumentPath & CreatePublicLink,
): Promise<PublicLinkWithUrl> {
  const { document_id, ...asked } = input
  const document = await lockDocument(ctx, input)
  if (asked.cedible && !isCedible(document)) {
    throw invalidField('cedible', noCedible(document))
  }
  const { link, url } = await mintLink(ctx, { document_id }, asked)
  return { ...showPublicLink({ ...link, document_id }), url }
}
