import type { AuditAction } from '../../../catalog/audit.ts'
import type { LastingAct, LastingObject } from '../../../catalog/lasting.ts'
import type { Person } from '../../../catalog/roles.ts'
import type { PageContext } from '../../context.ts'
import { type JudgedPfx, keepUploaded } from '../certificate/upload.ts'
import { lockEmisor } from '../empresa/emisor.ts'
import { recordLastingChange } from '../lasting-change/record.ts'
import { revokeMandato } from '../mandato/revoke.ts'
import type { Signer } from '../mandato/schema.ts'
import { signMandato } from '../mandato/sign.ts'
import { attestStep } from '../onboarding/attest.ts'
import { decideStep } from '../onboarding/decide.ts'
import type { Declaration } from '../onboarding/declarations.ts'
import { recheckStep } from '../onboarding/recheck.ts'
import type { Recheck } from '../onboarding/schema.ts'
import type { StoreSfgCredential } from '../sfg-credential/schema.ts'
import { storeSfgCredential } from '../sfg-credential/sfg-credential.ts'
import { requireSubscriptionOnPage } from '../subscription/gate.ts'
import { type OpenedLink, readPage } from './open.ts'
import { isUsable, useLink } from './store.ts'

/** Somebody else was faster, or the link ended while its page was open. */
export class LinkGone extends Error {}

interface Left {
  readonly action: AuditAction
  readonly object: LastingObject
  readonly act: LastingAct
}

/**
 * One act by a link. The empresa is locked first, so of two at one instant the second finds the link used. It is used up by
 * what it was minted for; where more is left to do on its page it stays. What it leaves is the link's maker's, like
 * whatever else they left: who takes the account back is told of it, and a certificate goes.
 */
async function act(
  ctx: PageContext,
  link: OpenedLink,
  { action, object, act: how }: Left,
  work: () => Promise<string>,
): Promise<void> {
  const { sql, empresa } = ctx
  await lockEmisor(sql, empresa)
  const now = ctx.now()
  if (!(await isUsable(sql, empresa, link.id, now)) || !(await readPage(ctx, link.page))?.waits) throw new LinkGone()
  const subject_id = await work()
  const caller = { credential_id: link.made_by }
  const { empresa_id } = empresa
  await recordLastingChange({ ...ctx, caller }, { object, act: how, subject_id, empresa_id, label: null, fields: [] })
  ctx.audit({ action, subject: subject_id })
  const decided = object === 'onboarding'
  if (decided || !(await readPage(ctx, link.page))?.waits) await useLink(sql, empresa, link.id, now)
}

export function signByLink(ctx: PageContext, link: OpenedLink, signer: Signer, terms_version: string): Promise<void> {
  const { ip, user_agent } = ctx.origin
  return act(ctx, link, { action: 'mandato.record', object: 'mandato', act: 'created' }, async () => {
    await signMandato(ctx, ctx.empresa, { via: 'hosted_page', ip, user_agent, terms_version, signer })
    return ctx.empresa.empresa_id
  })
}

export function revokeByLink(ctx: PageContext, link: OpenedLink, actor: Signer): Promise<void> {
  return act(ctx, link, { action: 'mandato.revoke', object: 'mandato', act: 'deleted' }, async () => {
    await revokeMandato(ctx, ctx.empresa, { ...ctx.origin, actor })
    return ctx.empresa.empresa_id
  })
}

export function uploadByLink(ctx: PageContext, link: OpenedLink, opened: JudgedPfx): Promise<void> {
  const left = { action: 'certificate.upload', object: 'certificate', act: 'created' } as const
  return act(ctx, link, left, async () => (await keepUploaded(ctx, opened)).id)
}

export function storeByLink(ctx: PageContext, link: OpenedLink, sent: StoreSfgCredential, by: Person): Promise<void> {
  const left = { action: 'sfg_credential.store', object: 'sfg_credential', act: 'created' } as const
  return act(ctx, link, left, async () => {
    await storeSfgCredential({ ...ctx, person: by }, sent)
    return ctx.empresa.empresa_id
  })
}

export interface LinkDecision {
  readonly decision: 'approve' | 'decline'
  readonly approved_by: Person
  readonly reason: string | null
  /** What they read. */
  readonly declaration: Declaration
  /** SHA-256 of what was prepared and shown beside it. */
  readonly shown: string | null
}

export function decideByLink(ctx: PageContext, link: OpenedLink, decided: LinkDecision): Promise<void> {
  const { decision, approved_by, reason, declaration, shown } = decided
  const going_live = link.page === 'emitting'
  const action = going_live ? 'onboarding.go_live' : 'onboarding.steps.approve'
  return act(ctx, link, { action, object: 'onboarding', act: 'created' }, async () => {
    if (going_live && decision === 'approve') await requireSubscriptionOnPage(ctx, ctx.empresa)
    await decideStep(ctx, ctx.empresa, link.page, {
      decision,
      approved_by,
      ...(reason !== null && { reason }),
      origin: ctx.origin,
      document: { version: declaration.version, sha256: declaration.sha256 },
      ...(shown !== null && { shown }),
    })
    return ctx.empresa.empresa_id
  })
}

export function attestByLink(ctx: PageContext, link: OpenedLink, performed_by: Person): Promise<void> {
  const left = { action: 'onboarding.steps.attest', object: 'onboarding', act: 'created' } as const
  return act(ctx, link, left, async () => {
    await attestStep(ctx, { step: link.page, performed_by })
    return ctx.empresa.empresa_id
  })
}

/** Looks at the SII again; it binds nobody, so the link stays. */
export async function recheckByLink(ctx: PageContext, link: OpenedLink): Promise<Recheck> {
  await lockEmisor(ctx.sql, ctx.empresa)
  if (!(await isUsable(ctx.sql, ctx.empresa, link.id, ctx.now()))) throw new LinkGone()
  return recheckStep(ctx, { step: link.page })
}
