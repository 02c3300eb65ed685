import type { PublicContext, SessionContext } from '../../context.ts'
import { NAMED, type Untrusted } from '../../distrust.ts'
import { endConsentLogins, endDistrustedGrants } from '../agent-grant/end.ts'
import type { GrantRow } from '../agent-grant/show.ts'
import { endDistrustedKeys } from '../api-key/end.ts'
import type { ApiKeyRow } from '../api-key/show.ts'
import { endDistrustedCertificates } from '../certificate/end.ts'
import { type DistrustedChange, distrustedChanges } from '../lasting-change/lookup.ts'
import { endPagesOfSessions } from '../onboarding-link/revoke.ts'
import { endDistrustedCredentials } from '../sfg-credential/end.ts'
import { endDistrustedEndpoints } from '../webhook/end.ts'
import type { EndpointRow } from '../webhook/show.ts'
import { CHANGED_COUNTS, type ChangedCount, type RecoveredItem, type Recovery } from './schema.ts'
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
): Promise<{ sessions: number; links: number; onboarding_pages: number }> {
  const now = ctx.now()
  const { but_session } = options
  const sessions = await endSessions(ctx.sql, account_id, now, but_session === undefined ? {} : { except: but_session })
  if (but_session === undefined) await forgetUsualNetworks(ctx.sql, account_id)
  await endConsentLogins(ctx.sql, account_id)
  const onboarding_pages = await endPagesOfSessions(ctx.sql, account_id, but_session)
  const links = await deleteLinks(ctx.sql, account_id, PENDING)
  return { sessions, links: links.filter((expires_at) => expires_at > now).length, onboarding_pages }
}

/**
 * Takes an account back for whoever reads its mailbox. What was made before an address of it was first proven may be a
 * stranger's, who opened the account in their name, and ends, with what its credentials made or changed since; the rest goes
 * on, and with it production: no live key is made before.
 */
export async function recoverAccount(ctx: PublicContext, account: AccountRow): Promise<Recovery> {
  const before = account.first_verified_at ?? account.email_verified_at
  return endDistrusted(ctx, account.id, before ? { before } : 'ever')
}

const keyItem = (status: RecoveredItem['status']) => (row: ApiKeyRow) =>
  ({ object: 'api_key', id: row.id, mode: row.mode, name: `${row.name} (…${row.last4})`, status }) as const
const grantItem = (status: RecoveredItem['status']) => (row: GrantRow) =>
  ({ object: 'agent_grant', id: row.id, mode: row.mode, name: row.client_name, status }) as const
const endpointItem = (status: RecoveredItem['status']) => (row: EndpointRow) =>
  ({ object: 'webhook_endpoint', id: row.id, mode: row.mode, name: row.url, status }) as const

type Named = Pick<RecoveredItem, 'id' | 'mode' | 'name'>
const lastingItem =
  (object: RecoveredItem['object'], status: RecoveredItem['status']) =>
  ({ id, mode, name }: Named): RecoveredItem => ({ object, id, mode, name, status })
const changedItem = (change: DistrustedChange) =>
  lastingItem(change.object, change.act === 'deleted' ? 'deleted' : 'changed')(change)

const keyOf = ({ object, id }: Pick<RecoveredItem, 'object' | 'id'>) => `${object} ${id}`

/** How many things of each kind were left in distrust and are as they were left. */
function countsOf(changes: readonly DistrustedChange[], gone: readonly RecoveredItem[]): Record<ChangedCount, number> {
  const count = (object: DistrustedChange['object']) => {
    const total = changes.find((change) => change.object === object)?.total ?? 0
    return Math.max(0, total - gone.filter((item) => item.object === object).length)
  }
  const counts = Object.entries(CHANGED_COUNTS).map(([name, { object }]) => [name, count(object)])
  return Object.fromEntries(counts) as Record<ChangedCount, number>
}

/**
 * The one place that decides what ends when an account is taken back: sessions and links, and whatever was made or changed
 * (rolled, rotated, sent elsewhere, enabled) at a time of which the account is not trusted, or by credentials of that time.
 * Lock the grants first.
 */
export async function endDistrusted(ctx: PublicContext, account_id: string, time: Untrusted): Promise<Recovery> {
  const pending = await endPending(ctx, account_id)
  const keys = await endDistrustedKeys(ctx, account_id, time, NAMED)
  const grants = await endDistrustedGrants(ctx, account_id, time, NAMED)
  const distrust = { time, by: [...keys.tainted, ...grants.tainted] }
  const endpoints = await endDistrustedEndpoints(ctx, account_id, distrust)
  const certificates = await endDistrustedCertificates(ctx, account_id, distrust)
  const credentials = await endDistrustedCredentials(ctx, account_id, distrust)
  const above = await ctx.reactions.accountRecovered(ctx, account_id, distrust)
  const gone = [
    ...endpoints.ended.map(endpointItem('ended')),
    ...endpoints.disabled.map(endpointItem('disabled')),
    ...certificates.map(lastingItem('certificate', 'ended')),
    ...credentials.map(lastingItem('sfg_credential', 'ended')),
    ...above.connections.ended.map(lastingItem('connection', 'ended')),
    ...above.connections.disabled.map(lastingItem('connection', 'disabled')),
  ]
  const changes = await distrustedChanges(ctx.sql, account_id, distrust)
  const told = new Set(gone.map(keyOf))
  const changed = changes.filter((change) => !told.has(keyOf(change))).map(changedItem)
  const looked = new Set(changed.map(keyOf))
  return {
    ended: {
      ...pending,
      api_keys: keys.ended.length,
      agent_grants: grants.ended.length,
      webhook_endpoints: endpoints.ended.length,
      webhook_endpoints_disabled: endpoints.disabled.length,
      certificates: certificates.length,
      sfg_credentials: credentials.length,
      connections: above.connections.ended.length,
      connections_disabled: above.connections.disabled.length,
      ...above.ended,
      onboarding_pages: pending.onboarding_pages + above.ended.onboarding_pages,
      items: [
        ...keys.ended.slice(0, NAMED).map(keyItem('ended')),
        ...grants.ended.slice(0, NAMED).map(grantItem('ended')),
        ...gone,
      ],
    },
    kept: {
      api_keys: keys.kept.total,
      agent_grants: grants.kept.total,
      webhook_endpoints: endpoints.kept.length,
      ...countsOf(changes, gone),
      items: [
        ...keys.kept.newest.map(keyItem('kept')),
        ...grants.kept.newest.map(grantItem('kept')),
        ...endpoints.kept.map(endpointItem('kept')).filter((item) => !looked.has(keyOf(item))),
        ...changed,
      ],
    },
  }
}
