import { generateKeyPairSync } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Adapter, Configuration, errors, Grant, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { RETENTION } from '../catalog/retention.ts'
import { DAY_SECONDS } from '../catalog/time.ts'
import { isAccountOpen } from '../domain/platform/account/lookup.ts'
import { AGENT_SCOPES } from '../domain/platform/agent-grant/bundles.ts'
import { type ItemAdapterParts, itemAdapter } from '../domain/platform/agent-grant/oauth-items.ts'
import { systemNow } from '../kernel/clock.ts'
import { consentErrorPage } from '../pages/consent.ts'
import { audienceOf, OAUTH_PATHS } from './metadata.ts'

export interface ProviderParts extends Pick<ItemAdapterParts, 'sql' | 'revoke' | 'invalidate'> {
  readonly public_url: string
  readonly cookie_keys: readonly string[]
  readonly onError: (error: unknown) => void
}

interface Library {
  readonly Provider: new (issuer: string, configuration: Configuration) => Provider
}

/**
 * The entry point of the library warns of every Node before 22; its modules run on ours, as our tests show. They are
 * imported one by one, once somebody comes for a token.
 */
async function load(): Promise<{ library: Library; refusals: typeof errors }> {
  const [library, refusals] = await Promise.all(
    ['oidc-provider/lib/provider.js', 'oidc-provider/lib/helpers/errors.js'].map((part) => import(part)),
  )
  return { library: library as Library, refusals: refusals as typeof errors }
}

/** Tokens end with their grant. */
const lifetimeOf = (ctx: KoaContextWithOIDC, most: number): number => {
  const end = (ctx.oidc.entities.Grant as Grant | undefined)?.exp
  const left = end === undefined ? most : end - Math.floor(systemNow() / 1000)
  return Math.max(1, Math.min(most, left))
}

export const COOKIES = {
  session: 'timbre_oauth',
  interaction: 'timbre_consent',
  resume: 'timbre_consent_resume',
} as const
const cookie = { signed: true, httpOnly: true, sameSite: 'lax', overwrite: true } as const

/** The library insists on a key; no token of ours is a JWT, so it signs nothing. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] }
}

type Refusals = typeof errors

/** Tokens are for one server alone (RFC 8707). */
function resourceIndicators(audience: string, { InvalidTarget }: Refusals) {
  return {
    enabled: true,
    defaultResource: async (_ctx: unknown, _client: unknown, oneOf?: readonly string[]) => oneOf ?? audience,
    useGrantedResource: async () => true,
    getResourceServerInfo: async (_ctx: unknown, requested: string) => {
      if (requested !== audience) throw new InvalidTarget()
      return { scope: AGENT_SCOPES.join(' '), audience, accessTokenFormat: 'opaque' as const }
    },
  }
}

function featuresOf(audience: string, refusals: Refusals): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
    resourceIndicators: resourceIndicators(audience, refusals),
  }
}

/** Authorization codes with PKCE for public clients, and refresh tokens that work once. */
const OFFERED: Configuration = {
  scopes: [],
  responseTypes: ['code'],
  clientAuthMethods: ['none'],
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  expiresWithSession: async () => false,
  revokeGrantPolicy: () => true,
  // The token endpoint reads no cookie, and a code is worth nothing without its verifier.
  clientBasedCORS: () => true,
  // Every authorization asks the person anew: no earlier grant stands in for a decision.
  loadExistingGrant: async (ctx) => {
    const id = ctx.oidc.result?.consent?.grantId
    return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id)
  },
  interactions: { url: (_ctx, { uid }) => `${OAUTH_PATHS.consent}/${uid}` },
  routes: { authorization: OAUTH_PATHS.authorize, token: OAUTH_PATHS.token, revocation: OAUTH_PATHS.revoke },
  ttl: {
    AccessToken: (ctx) => lifetimeOf(ctx, RETENTION.access_token_seconds),
    RefreshToken: (ctx) => lifetimeOf(ctx, RETENTION.refresh_token_days * DAY_SECONDS),
    AuthorizationCode: RETENTION.authorization_code_seconds,
    Interaction: RETENTION.consent_seconds,
    Session: RETENTION.consent_seconds,
    Grant: RETENTION.consent_seconds,
  },
}

function configurationOf(parts: ProviderParts, refusals: Refusals): Configuration {
  const { sql, public_url, cookie_keys } = parts
  const items: ItemAdapterParts = {
    ...parts,
    resumeUrl: (id) => `${public_url}${OAUTH_PATHS.authorize}/${id}`,
    alreadyUsed: () => new refusals.InvalidGrant('already used'),
  }
  return {
    ...OFFERED,
    adapter: (model: string) => itemAdapter(items, model) as unknown as Adapter,
    jwks: unusedKey(),
    features: featuresOf(audienceOf(public_url), refusals),
    cookies: { keys: [...cookie_keys], names: COOKIES, long: { ...cookie, path: '/oauth' }, short: cookie },
    findAccount: async (_ctx, sub) =>
      (await isAccountOpen(sql, sub)) ? { accountId: sub, claims: async () => ({ sub }) } : undefined,
    renderError: async (ctx, _out, error) => {
      const { headers, body } = consentErrorPage(ctx.status)
      if (ctx.status >= 500) parts.onError(error)
      ctx.set(headers)
      ctx.body = body
    },
  }
}

/** The running library: its provider for the pages, and its own request handler. */
export interface AuthorizationServer {
  readonly provider: Provider
  readonly answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>
}

async function open(parts: ProviderParts): Promise<AuthorizationServer> {
  const { library, refusals } = await load()
  const provider = new library.Provider(parts.public_url, configurationOf(parts, refusals))
  // Requests reach it through our own routes, which set the host and the protocol.
  provider.proxy = true
  provider.on('server_error', (_ctx, error) => parts.onError(error))
  const emitter: EventEmitter = provider
  emitter.on('error', parts.onError)
  const answer = provider.callback()
  return { provider, answer: async (req, res) => void (await answer(req, res)) }
}

/** The authorization server, loaded at the first request for it. A failed load is tried again by the next. */
export function openProvider(parts: ProviderParts): () => Promise<AuthorizationServer> {
  let opened: Promise<AuthorizationServer> | null = null
  return () => {
    opened ??= open(parts).catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
}
