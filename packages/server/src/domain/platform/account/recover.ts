import type { PublicContext, SessionContext } from '../../context.ts'
import { type Distrusted, NAMED, type Untrusted } from '../../distrust.ts'
import { endConsentLogins, endDistrustedGrants } from '../agent-grant/end.ts'
import type { GrantRow } from '../agent-grant/show.ts'
import { endDistrustedKeys } from '../api-key/end.ts'
import type { ApiKeyRow } from '../api-key/show.ts'
import { distrustedCertificates } from '../certificate/written.ts'
import { distrustedEmpresas } from '../empresa/written.ts'
import { distrustedCredentials } from '../sfg-credential/written.ts'
import { endDistrustedEndpoints } from '../webhook/end.ts'
import type { EndpointRow } from '../webhook/show.ts'
import type { RecoveredItem, Recovery } from './schema.ts'
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

const changedItems = (object: RecoveredItem['object'], { named }: Distrusted) =>
  named.map(({ empresa_id: id, mode, legal_name: name }) => ({ object, id, mode, name, status: 'changed' }) as const)

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
  const empresas = await distrustedEmpresas(ctx.sql, account_id, distrust)
  const certificates = await distrustedCertificates(ctx.sql, account_id, distrust)
  const credentials = await distrustedCredentials(ctx.sql, account_id, distrust)
  const above = await ctx.reactions.accountRecovered(ctx, account_id, distrust)
  return {
    ended: {
      ...pending,
      api_keys: keys.ended.length,
      agent_grants: grants.ended.length,
      webhook_endpoints: endpoints.ended.length,
      webhook_endpoints_disabled: endpoints.disabled.length,
      ...above.ended,
      items: [
        ...keys.ended.slice(0, NAMED).map(keyItem('ended')),
        ...grants.ended.slice(0, NAMED).map(grantItem('ended')),
        ...endpoints.ended.map(endpointItem('ended')),
        ...endpoints.disabled.map(endpointItem('disabled')),
      ],
    },
    kept: {
      api_keys: keys.kept.total,
      agent_grants: grants.kept.total,
      webhook_endpoints: endpoints.kept.length,
      contacts_changed: above.contacts_changed,
      empresas_changed: empresas.total,
      certificates_changed: certificates.total,
      sfg_credentials_changed: credentials.total,
      branding_changed: above.branding.total,
      automation_settings_changed: above.automation_settings.total,
      items: [
        ...keys.kept.newest.map(keyItem('kept')),
        ...grants.kept.newest.map(grantItem('kept')),
        ...endpoints.kept.map(endpointItem('kept')),
        ...changedItems('empresa', empresas),
        ...changedItems('certificate', certificates),
        ...changedItems('sfg_credential', credentials),
        ...changedItems('branding', above.branding),
        ...changedItems('automation_settings', above.automation_settings),
      ],
    },
  }
}
