import type { PublicContext, SessionContext } from '../../context.ts'
import { endConsentLogins, endGrantsMadeBefore } from '../agent-grant/end.ts'
import { endKeysMadeBefore } from '../api-key/end.ts'
import { endEndpointsMadeBefore } from '../webhook/endpoint.ts'
import type { Recovery } from './schema.ts'
import { type AccountRow, deleteLinks, endSessions, LINK_KINDS, type LinkKind } from './store.ts'

/**
 * Every link but the way back from a change of address: that one lies with whoever read the old address, and whoever
 * took the account could otherwise burn it by setting a password.
 */
const PENDING: readonly LinkKind[] = LINK_KINDS.filter((kind) => kind !== 'restore_email')

type EndContext = Pick<PublicContext | SessionContext, 'sql' | 'now'>

/** Ends what somebody who once knew the password may have left lying about: sessions, logins and links not yet followed. */
export async function endPending(
  ctx: EndContext,
  account_id: string,
  options: { readonly but_session?: string; readonly also_way_back?: boolean } = {},
): Promise<{ sessions: number; links: number }> {
  const now = ctx.now()
  const { but_session, also_way_back } = options
  const sessions = await endSessions(ctx.sql, account_id, now, but_session === undefined ? {} : { except: but_session })
  await endConsentLogins(ctx.sql, account_id)
  const links = await deleteLinks(ctx.sql, account_id, also_way_back ? LINK_KINDS : PENDING)
  return { sessions, links: links.filter((expires_at) => expires_at > now).length }
}

/**
 * Takes an account back for whoever reads its mailbox. What was made before an address of it was first proven may be a
 * stranger's, who opened the account in their name, and ends; what was made after goes on, and with it production: no live
 * key is made before.
 */
export async function recoverAccount(ctx: PublicContext, account: AccountRow): Promise<Recovery> {
  const { id } = account
  const pending = await endPending(ctx, id)
  const before = account.first_verified_at ?? account.email_verified_at
  const keys = await endKeysMadeBefore(ctx, id, before)
  const grants = await endGrantsMadeBefore(ctx, id, before)
  const endpoints = await endEndpointsMadeBefore(ctx, id, before, [...keys.ids, ...grants.ids])
  return {
    ended: {
      ...pending,
      api_keys: keys.ended,
      agent_grants: grants.ended,
      webhook_endpoints: endpoints.ended,
    },
    kept: { api_keys: keys.kept, agent_grants: grants.kept, webhook_endpoints: endpoints.kept },
  }
}
