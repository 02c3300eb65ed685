import { tipo } from '@timbre/dte/values'
import type { EmpresaContext } from '../../kernel/context.ts'
import { newId, randomSecret } from '../../kernel/id.ts'
import { invalidField } from '../../kernel/problem.ts'
import { hashSecret } from '../../kernel/secret.ts'
import { holdDocument } from '../document/hold.ts'
import type { DocumentPath } from '../document/schema.ts'
import { isCedible } from '../document/show.ts'
import { instantOf } from '../instant.ts'
import type { CreatePublicLink, PublicLinkWithUrl } from './schema.ts'
import { showPublicLink } from './show.ts'
import { endPublicLinks, insertPublicLink } from './store.ts'

function expiryOf({ expires_at }: CreatePublicLink, now: Date): Date | null {
  if (expires_at === undefined) return null
  const at = instantOf('expires_at', expires_at)
  if (at <= now) throw invalidField('expires_at', 'it must be in the future.')
  return at
}

/** A link to a document; the one of its kind that there was before stops working. */
export async function createPublicLink(
  ctx: EmpresaContext,
  input: DocumentPath & CreatePublicLink,
): Promise<PublicLinkWithUrl> {
  const { sql, empresa } = ctx
  const { cedible = false, document_id } = input
  const document = await holdDocument(ctx, input)
  if (cedible && !isCedible(document)) {
    throw invalidField('cedible', `a ${tipo(document.tipo_dte).name} has no cedible copy.`)
  }
  const now = ctx.now()
  const expires_at = expiryOf(input, now)
  const slug = randomSecret()
  const row = { id: newId('public_link'), document_id, cedible, created_at: now, expires_at, revoked_at: null }
  await endPublicLinks(sql, empresa, document_id, now, cedible)
  await insertPublicLink(sql, empresa, { ...row, slug_hash: hashSecret(slug) })
  return { ...showPublicLink(row), url: `${ctx.addresses.public_link_base}/d/${slug}` }
}
