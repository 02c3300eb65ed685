import { secondsFrom } from '../../../kernel/clock.ts'
import { newId, randomSecret } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import { requireScope } from '../../../kernel/require-scope.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { hashSecret } from '../../../kernel/secret.ts'
import type { BaseContext, EmpresaContext } from '../../context.ts'
import { lockEmisor } from '../empresa/emisor.ts'
import { recordEvidence } from '../evidence/record.ts'
import { expectMandato, mandatoOf } from '../mandato/lookup.ts'
import { isCurrent, lockStep } from '../onboarding/finish.ts'
import { hasPage } from '../onboarding/lanes.ts'
import {
  type CreateLink,
  type CreateRevocationLink,
  DEFAULT_HOURS,
  type OnboardingLink,
  type PageKey,
  REVOCATION,
} from './schema.ts'
import { insertLink, type LinkPerson, type LinkRoad } from './store.ts'

/** Where the hosted pages of the onboarding stand, in the words of whoever reads the address. */
export const PAGES_PATH = '/puesta-en-marcha'

interface Minted {
  readonly page: PageKey
  readonly hours: number
  readonly road: LinkRoad
  readonly made_by: string
  readonly person?: LinkPerson | null
}

/** Makes the address of a page. The last one of its page, by the same road, stops working. */
export async function mintLink(
  ctx: Pick<BaseContext, 'sql' | 'now' | 'addresses'>,
  scope: EmpresaScope,
  { page, hours, road, made_by, person = null }: Minted,
): Promise<{ url: string; expires_at: Date }> {
  const slug = randomSecret()
  const created_at = ctx.now()
  const expires_at = secondsFrom(created_at, hours * 3600)
  const id = newId('onboarding_link')
  const slug_hash = hashSecret(slug)
  await insertLink(ctx.sql, scope, { id, page, slug_hash, road, made_by, person, created_at, expires_at })
  return { url: `${ctx.addresses.public_url}${PAGES_PATH}/${slug}`, expires_at }
}

async function mintForCaller(
  ctx: EmpresaContext,
  page: PageKey,
  hours: number,
  person: LinkPerson | null = null,
): Promise<OnboardingLink> {
  const made_by = ctx.caller.credential_id
  const { url, expires_at } = await mintLink(ctx, ctx.empresa, { page, hours, road: 'api', made_by, person })
  const step = page === REVOCATION ? 'mandato' : page
  await recordEvidence(ctx, ctx.empresa, { step, act: 'link_minted', actor: null, document: null, ...ctx.origin })
  return { object: 'onboarding_link', step: page, url, expires_at: expires_at.toISOString() }
}

/** Somebody can be asked to sign whenever no mandato stands: at the first step, after a revocation, and to rehearse it. */
async function expectSignature(ctx: EmpresaContext): Promise<void> {
  requireScope(ctx.caller, 'mandato:write')
  const row = await lockEmisor(ctx.sql, ctx.empresa)
  if (!row) throw new Problem('empresa_not_found')
  if (row.status === 'archived') throw new Problem('empresa_inactive')
  const { status } = await mandatoOf(ctx.sql, ctx.empresa)
  if (status === 'signed') throw new Problem('step_not_open', { details: { step: 'mandato', status: 'completed' } })
  await expectMandato(ctx, ctx.empresa)
}

async function requireWaiting(ctx: EmpresaContext, key: string): Promise<PageKey> {
  const { row, step } = await lockStep(ctx, ctx.empresa, key)
  if (row.status !== 'active') throw new Problem('empresa_inactive')
  const details = { step: step.key, status: step.status }
  if (!hasPage(step.key)) throw new Problem('step_not_open', { message: 'Nobody has to act in this step.', details })
  if (!isCurrent(row, step) || step.status !== 'action_required') throw new Problem('step_not_open', { details })
  return step.key
}

/** Opens a hosted page for the person whom a step waits for. */
export async function createLink(
  ctx: EmpresaContext,
  { step, expires_in_hours: hours = DEFAULT_HOURS, person }: CreateLink,
): Promise<OnboardingLink> {
  if (step !== 'mandato') return mintForCaller(ctx, await requireWaiting(ctx, step), hours, person)
  await expectSignature(ctx)
  return mintForCaller(ctx, 'mandato', hours, person)
}

/** Opens the page on which the representante revokes what they signed. */
export async function createRevocationLink(
  ctx: EmpresaContext,
  { expires_in_hours: hours = DEFAULT_HOURS }: CreateRevocationLink,
): Promise<OnboardingLink> {
  await lockEmisor(ctx.sql, ctx.empresa)
  if ((await mandatoOf(ctx.sql, ctx.empresa)).status !== 'signed') throw new Problem('mandato_not_found')
  return mintForCaller(ctx, REVOCATION, hours)
}
