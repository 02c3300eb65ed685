import type { PublicLink } from './schema.ts'

/** What a link opens. The caller that makes one proves first that it reaches the subject. */
export type LinkSubject = { readonly document_id: string } | { readonly f29_period: string }

export interface PublicLinkRow {
  readonly id: string
  readonly document_id: string
  readonly cedible: boolean
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
}

export function showPublicLink(row: PublicLinkRow): PublicLink {
  return {
    object: 'public_link',
    id: row.id,
    document_id: row.document_id,
    cedible: row.cedible,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}
