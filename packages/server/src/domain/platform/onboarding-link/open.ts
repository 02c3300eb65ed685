import { nowOf, REAL_TIME } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import type { PageContext } from '../../context.ts'
import { findEmisor } from '../empresa/emisor.ts'
import type { EmpresaRow } from '../empresa/row.ts'
import { askedBy } from '../mail/plain-name.ts'
import { mandatoOf } from '../mandato/lookup.ts'
import type { Mandato } from '../mandato/schema.ts'
import { readBody } from '../onboarding/read.ts'
import type { Onboarding } from '../onboarding/schema.ts'
import { type PageKey, REVOCATION } from './schema.ts'
import { type FoundLink, findLink, type LinkPerson } from './store.ts'

/** Why a link that once worked does not any more. */
export type LinkEnd = 'used' | 'revoked' | 'expired'

/** A link that a slug opened. The slug is the whole credential, so the scope is made here. */
export interface OpenedLink {
  readonly scope: EmpresaScope
  /** Identifies the link in rate limits without revealing it. */
  readonly hash: string
  readonly id: string
  readonly page: PageKey
  readonly made_by: string
  /** For whom it is; null where whoever minted it did not say. */
  readonly person: LinkPerson | null
  /** Null while it works. */
  readonly ended: LinkEnd | null
  readonly expires_at: Date
  readonly legal_name: string
  /** The account that asks for it, with its whole address. */
  readonly asked_by: string
  readonly clock: { readonly offset_ms: number; readonly frozen_at: Date | null }
}

function endOf({ used_at, revoked_at, maker_stands, expires_at }: FoundLink, now: Date): LinkEnd | null {
  if (used_at) return 'used'
  if (revoked_at || !maker_stands) return 'revoked'
  return expires_at <= now ? 'expired' : null
}

/** Null for a slug that we never gave out; whoever had a link that ended is told how. */
export async function openOnboardingLink(sql: Sql, slug: string): Promise<OpenedLink | null> {
  const hash = hashSecret(slug)
  const found = await findLink(sql, hash)
  if (!found) return null
  const { account_id, empresa_id, mode, rut, offset_ms, frozen_at } = found
  const clock = offset_ms === null ? REAL_TIME : { offset_ms, frozen_at }
  return {
    scope: { account_id, empresa_id, mode, rut },
    hash: hash.toString('hex'),
    id: found.id,
    page: found.page,
    made_by: found.made_by,
    person: found.person_rut === null ? null : { rut: found.person_rut, name: found.person_name ?? '' },
    ended: endOf(found, nowOf(clock)),
    expires_at: found.expires_at,
    legal_name: found.legal_name,
    asked_by: askedBy({ name: found.account_name || null, email: found.account_email }),
    clock,
  }
}

/** What a page shows, as it is now. */
export interface PageFacts {
  readonly row: EmpresaRow
  readonly mandato: Mandato
  readonly onboarding: Onboarding
  /** Whether the act of the page is still to be done. */
  readonly waits: boolean
}

/** Null when the empresa is gone. */
export async function readPage(
  ctx: Pick<PageContext, 'sql' | 'now' | 'ports' | 'addresses' | 'empresa'>,
  page: PageKey,
): Promise<PageFacts | null> {
  const row = await findEmisor(ctx.sql, ctx.empresa)
  if (!row) return null
  const mandato = await mandatoOf(ctx.sql, ctx.empresa)
  const onboarding = await readBody(ctx, ctx.empresa, row)
  const signed = mandato.status === 'signed'
  const waits =
    page === REVOCATION
      ? signed
      : page === 'mandato'
        ? !signed && row.status !== 'archived'
        : row.status === 'active' && onboarding.pending_action?.step === page
  return { row, mandato, onboarding, waits }
}
