import { nowOf, REAL_TIME } from '../../kernel/clock.ts'
import type { EmpresaScope } from '../../kernel/context.ts'
import type { Sql } from '../../kernel/db.ts'
import { hashSecret } from '../../kernel/secret.ts'
import { findLivingLink } from './store.ts'

/** What a slug opens. It is the whole credential, so the scope is made here. */
export interface OpenedLink {
  readonly scope: EmpresaScope
  readonly document_id: string
  readonly cedible: boolean
  /** Names the link where it is counted, without being the link. */
  readonly hash: string
}

/** Null for a slug that never was, was revoked or has expired: whoever holds it cannot tell which. */
export async function openLink(sql: Sql, slug: string): Promise<OpenedLink | null> {
  const slug_hash = hashSecret(slug)
  const found = await findLivingLink(sql, slug_hash)
  if (!found) return null
  const { account_id, empresa_id, mode, rut, document_id, cedible, expires_at, offset_ms, frozen_at } = found
  const now = nowOf(offset_ms === null ? REAL_TIME : { offset_ms, frozen_at })
  if (expires_at !== null && expires_at <= now) return null
  return { scope: { account_id, empresa_id, mode, rut }, document_id, cedible, hash: slug_hash.toString('hex') }
}
