import { systemNow } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import { newId, randomSecret } from '../../../kernel/id.ts'
import { invalidField } from '../../../kernel/problem.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import type { EmpresaContext } from '../../context.ts'
import type { Distrust } from '../../distrust.ts'
import { instantOf } from '../../parse-instant.ts'
import { requireRoom } from '../../platform/account/ceiling.ts'
import { bindToGrant } from '../../platform/agent-grant/makings.ts'
import type { LinkSubject, PublicLinkRow } from './show.ts'
import { countLivingLinks, insertPublicLink, revokeDistrusted, revokePublicLinkRows } from './store.ts'

/** The page of a subject, under the base of public links. */
function pathOf(subject: LinkSubject, slug: string): string {
  return 'document_id' in subject ? `/d/${slug}` : `/f/${slug}`
}

function expiryOf(expires_at: string | undefined, now: Date): Date | null {
  if (expires_at === undefined) return null
  const at = instantOf('expires_at', expires_at)
  if (at <= now) throw invalidField('expires_at', 'it must be in the future.')
  return at
}

/** Creates a link to a subject and revokes the earlier one of its kind. Only the hash of its address is stored. */
export async function mintLink(
  ctx: EmpresaContext,
  subject: LinkSubject,
  { cedible = false, expires_at }: { readonly cedible?: boolean; readonly expires_at?: string },
  label: string,
): Promise<{ link: Omit<PublicLinkRow, 'document_id'>; url: string }> {
  const { sql, empresa } = ctx
  const now = ctx.now()
  const slug = randomSecret()
  const link = {
    id: newId('public_link'),
    cedible,
    created_at: now,
    expires_at: expiryOf(expires_at, now),
    revoked_at: null,
  }
  await revokePublicLinkRows(sql, empresa, subject, now, cedible)
  await requireRoom(sql, empresa, 'public_links', (max) => countLivingLinks(sql, empresa, now, max))
  await insertPublicLink(sql, empresa, subject, {
    ...link,
    slug_hash: hashSecret(slug),
    made_by: ctx.caller.credential_id,
  })
  await bindToGrant(ctx, { id: link.id, kind: 'public_link', label })
  return { link, url: ctx.addresses.public_link_base + pathOf(subject, slug) }
}

/** Every link to a subject stops working at once. */
export function revokeLinks({ sql, empresa, now }: EmpresaContext, subject: LinkSubject): Promise<void> {
  return revokePublicLinkRows(sql, empresa, subject, now())
}

/** When an account is taken back: links that somebody made who is not trusted. Returns how many. */
export function endDistrustedLinks(sql: Sql, account_id: string, distrust: Distrust): Promise<number> {
  return revokeDistrusted(sql, account_id, distrust, new Date(systemNow()))
}
