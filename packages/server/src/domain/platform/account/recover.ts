import type { PublicContext, SessionContext } from '../../context.ts'
import { endConsentLogins, endGrantsMade } from '../agent-grant/end.ts'
import { endKeysMade } from '../api-key/end.ts'
import type { Made } from '../credential/made.ts'
import { endEndpointsMade } from '../webhook/endpoint.ts'
import type { Makings, Recovery } from './schema.ts'
import { type AccountRow, deleteLinks, endSessions, LINK_KINDS, type LinkKind } from './store.ts'
import { forgetUsualNetworks } from './usual-network.ts'

/**
 * Every link but the way back from a change of address: that one lies with whoever read the old address, and whoever
 * took the account could otherwise burn it by setting a password.
 */
const PENDING: readonly LinkKind[] = LINK_KINDS.filter((kind) => kind !== 'restore_email')

type EndContext = Pick<PublicContext | SessionContext, 'sql' | 'now'>

/**
 * Ends what somebody who once knew the password may have left lying about: sessions, logins, links not yet followed and,
 * unless a session goes on, that the networks they came from are usual.
 */
export async function endPending(
  ctx: EndContext,
  account_id: string,
  options: { readonly but_session?: string } = {},
): Promise<{ sessions: number; links: number }> {
  const now = ctx.now()
  const { but_session } = options
  const sessions = await endSessions(ctx.sql, account_id, now, but_session === undefined ? {} : { except: but_session })
  if (but_session === undefined) await forgetUsualNetworks(ctx.sql, account_id)
  await endConsentLogins(ctx.sql, account_id)
  const links = await deleteLinks(ctx.sql, account_id, PENDING)
  return { sessions, links: links.filter((expires_at) => expires_at > now).length }
}

/**
 * Takes an account back for whoever reads its mailbox. What was made before an address of it was first proven may be a
 * stranger's, who opened the account in their name, and ends; what was made after goes on, and with it production: no live
 * key is made before.
 */
export async function recoverAccount(ctx: PublicContext, account: AccountRow): Promise<Recovery> {
  const pending = await endPending(ctx, account.id)
  const before = account.first_verified_at ?? account.email_verified_at
  const { ended, kept } = await endMade(ctx, account.id, before ? { before } : 'ever')
  return { ended: { ...pending, ...ended }, kept }
}

/** Ends the keys, grants and endpoints that were made at a time, and what those made in turn. Lock the grants first. */
export async function endMade(
  ctx: PublicContext,
  account_id: string,
  made: Made,
): Promise<{ readonly ended: Makings; readonly kept: Makings }> {
  const keys = await endKeysMade(ctx, account_id, made)
  const grants = await endGrantsMade(ctx, account_id, made)
  const endpoints = await endEndpointsMade(ctx, account_id, made, [...keys.ids, ...grants.ids])
  return {
    ended: { api_keys: keys.ended, agent_grants: grants.ended, webhook_endpoints: endpoints.ended },
    kept: { api_keys: keys.kept, agent_grants: grants.kept, webhook_endpoints: endpoints.kept },
  }
}
