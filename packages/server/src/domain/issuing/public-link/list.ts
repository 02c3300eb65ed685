import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import type { EmpresaContext } from '../../context.ts'
import { requireDocument } from '../document/read.ts'
import type { DocumentPath } from '../document/schema.ts'
import type { PublicLink } from './schema.ts'
import { showPublicLink } from './show.ts'
import { listPublicLinkRows } from './store.ts'

/** What was minted and what became of it. The addresses themselves are nowhere to be read. */
export async function listPublicLinks(
  ctx: EmpresaContext,
  input: DocumentPath & PageInput,
): Promise<ListPage<PublicLink>> {
  const { document_id } = input
  await requireDocument(ctx, input)
  const fetch = (page: { before: string | null; take: number }) =>
    listPublicLinkRows(ctx.sql, ctx.empresa, document_id, page)
  return pageById('public_links', { document_id }, input, fetch, showPublicLink)
}
