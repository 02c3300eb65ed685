import { nowOf, REAL_TIME } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import { type FoundLink, findUnrevokedLink } from './store.ts'

/** A link that a slug opened. The slug is the whole credential, so the scope is made here. */
export interface SharedLink {
  readonly scope: EmpresaScope
  /** Identifies the link in rate limits without revealing it. */
  readonly hash: string
}

export interface OpenedDocument extends SharedLink {
  readonly document_id: string
  readonly cedible: boolean
}

export interface OpenedProposal extends SharedLink {
  readonly period: string
  /** By the clock of the empresa. */
  readonly now: Date
}

/** Null for a slug that never existed, was revoked or has expired: its holder cannot tell which. */
async function findLink(sql: Sql, slug: string): Promise<{ found: FoundLink; link: SharedLink; now: Date } | null> {
  const slug_hash = hashSecret(slug)
  const found = await findUnrevokedLink(sql, slug_hash)
  if (!found) return null
  const { account_id, empresa_id, mode, rut, expires_at, offset_ms, frozen_at } = found
  const now = nowOf(offset_ms === null ? REAL_TIME : { offset_ms, frozen_at })
  if (expires_at !== null && expires_at <= now) return null
  return { found, link: { scope: { account_id, empresa_id, mode, rut }, hash: slug_hash.toString('hex') }, now }
}

export async function openDocumentLink(sql: Sql, slug: string): Promise<OpenedDocument | null> {
  const opened = await findLink(sql, slug)
  if (!opened || opened.found.document_id === null) return null
  return { ...opened.link, document_id: opened.found.document_id, cedible: opened.found.cedible }
}

export async function openProposalLink(sql: Sql, slug: string): Promise<OpenedProposal | null> {
  const opened = await findLink(sql, slug)
  if (!opened || opened.found.f29_period === null) return null
  return { ...opened.link, period: opened.found.f29_period, now: opened.now }
}
