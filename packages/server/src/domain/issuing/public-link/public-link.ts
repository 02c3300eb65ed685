import { tipo } from '@timbre/dte/values'
import { type ListPage, type PageInput, pageById } from '../../../kernel/cursor.ts'
import { invalidField } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { noCedible } from '../artifact/print-options.ts'
import { lockDocument, requireDocument } from '../document/read.ts'
import type { DocumentPath } from '../document/schema.ts'
import { type DocumentRow, isCedible } from '../document/show.ts'
import { mintLink, revokeLinks } from './mint.ts'
import type { CreatePublicLink, PublicLink, PublicLinkWithUrl } from './schema.ts'
import { showPublicLink } from './show.ts'
import { listPublicLinkRows } from './store.ts'

function labelOf({ tipo_dte, folio }: DocumentRow): string {
  const { name } = tipo(tipo_dte)
  return folio === null ? name : `${name} ${folio}`
}

/** Creates a link to a document and revokes the earlier one of its kind. */
export async function createPublicLink(
  ctx: EmpresaContext,
  input: DocumentPath & CreatePublicLink,
): Promise<PublicLinkWithUrl> {
  const { document_id, ...wanted } = input
  const document = await lockDocument(ctx, input)
  if (wanted.cedible && !isCedible(document)) {
    throw invalidField('cedible', noCedible(document))
  }
  const { link, url } = await mintLink(ctx, { document_id }, wanted, labelOf(document))
  return { ...showPublicLink({ ...link, document_id }), url }
}

/** Lists the links of a document, revoked ones too. Their addresses are stored nowhere. */
export async function listPublicLinks(
  ctx: EmpresaContext,
  input: DocumentPath & PageInput,
): Promise<ListPage<PublicLink>> {
  const { document_id } = input
  await requireDocument(ctx, input)
  const fetch = (page: { before: string | null; take: number }) =>
    listPublicLinkRows(ctx.sql, ctx.empresa, document_id, page)
  return pageById(ctx, 'public_links', { document_id }, input, fetch, showPublicLink)
}

export async function revokePublicLinks(ctx: EmpresaContext, input: DocumentPath): Promise<null> {
  await lockDocument(ctx, input)
  await revokeLinks(ctx, { document_id: input.document_id })
  return null
}
