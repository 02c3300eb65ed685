import { generateKeyPairSync } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { Adapter, Configuration, errors, Grant, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { RETENTION } from '../catalog/retention.ts'
import { systemNow } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db.ts'
import { type ItemParts, itemKeeper } from '../modules/agent-grant/oauth-items.ts'
import { troublePage } from '../pages/consent.ts'
import { AGENT_SCOPES, audienceOf, OAUTH_PATHS } from './oauth-metadata.ts'

export interface ProviderParts extends Pick<ItemParts, 'sql' | 'end' | 'forget'> {
  readonly public_url: string
  readonly cookie_keys: readonly string[]
  readonly onTrouble: (error: unknown) => void
}

interface Library {
  readonly Provider: new (issuer: string, configuration: Configuration) => Provider
}

/**
 * The face of the library warns of every Node before 22; what stands behind it runs on ours, and our tests show it.
 * Its parts are asked for by their own addresses, once somebody comes for a token.
 */
async function load(): Promise<{ library: Library; refusals: typeof errors }> {
  const [library, refusals] = await Promise.all(
    ['oidc-provider/lib/provider.js', 'oidc-provider/lib/helpers/errors.js'].map((part) => import(part)),
  )
  return { library: library as Library, refusals: refusals as typeof errors }
}

const leftOf = (ctx: KoaContextWithOIDC, most: number): number => {
  const end = (ctx.oidc.entities.Grant as Grant | undefined)?.exp
  const left = end === undefined ? most : end - Math.floor(systemNow() / 1000)
  return Math.max(1, Math.min(most, left))
}

const cookie = { signed: true, httpOnly: true, sameSite: 'lax', overwrite: true } as const

/** What never happens still has to be configured: no token of ours is a JWT, so the key signs nothing. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] }
}

async function isOpen(sql: Sql, account_id: string): Promise<boolean> {
  const rows = await sql`select 1 from account where id = ${account_id} and closed_at is null`
  return rows.length > 0
}

const FEATURES = {
  devInteractions: { enabled: false },
  userinfo: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  dPoP: { enabled: false },
} as const

function configurationOf(parts: ProviderParts, { InvalidGrant, InvalidTarget }: typeof errors): Configuration {
  const { sql, public_url } = parts
  const audience = audienceOf(public_url)
  const items: ItemParts = {
    ...parts,
    resumeUrl: (id) => `${public_url}${OAUTH_PATHS.authorize}/${id}`,
    alreadyUsed: () => new InvalidGrant('already used'),
  }
  const resourceServer = { scope: AGENT_SCOPES.join(' '), audience, accessTokenFormat: 'opaque' } as const
  return {
    adapter: (model: string) => itemKeeper(items, model) as unknown as Adapter,
    jwks: unusedKey(),
    scopes: [],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    // No cookie is read where this is asked, and a code is worth nothing without its verifier.
    clientBasedCORS: () => true,
    findAccount: async (_ctx, sub) =>
      (await isOpen(sql, sub)) ? { accountId: sub, claims: async () => ({ sub }) } : undefined,
    // Every authorization is asked for anew: nothing that was granted before answers for the person.
    loadExistingGrant: async (ctx) => {
      const id = ctx.oidc.result?.consent?.grantId
      return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id)
    },
    features: {
      ...FEATURES,
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_ctx, _client, oneOf) => oneOf ?? audience,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, asked) => {
          if (asked !== audience) throw new InvalidTarget()
          return resourceServer
        },
      },
    },
    interactions: { url: (_ctx, { uid }) => `${OAUTH_PATHS.consent}/${uid}` },
    routes: { authorization: OAUTH_PATHS.authorize, token: OAUTH_PATHS.token, revocation: OAUTH_PATHS.revoke },
    cookies: {
      keys: [...parts.cookie_keys],
      names: { session: 'timbre_oauth', interaction: 'timbre_consent', resume: 'timbre_consent_resume' },
      long: { ...cookie, path: '/oauth' },
      short: cookie,
    },
    ttl: {
      AccessToken: (ctx) => leftOf(ctx, RETENTION.access_token_seconds),
      RefreshToken: (ctx) => leftOf(ctx, RETENTION.refresh_token_days * 86_400),
      AuthorizationCode: RETENTION.authorization_code_seconds,
      Interaction: RETENTION.consent_seconds,
      Session: RETENTION.consent_seconds,
      Grant: RETENTION.consent_seconds,
    },
    renderError: async (ctx, _out, error) => {
      const { headers, body } = troublePage(ctx.status)
      if (ctx.status >= 500) parts.onTrouble(error)
      ctx.set(headers)
      ctx.body = body
    },
  }
}

/** The authorization server, loaded when somebody first asks for it. */
export function openProvider(parts: ProviderParts): () => Promise<Provider> {
  let opened: Promise<Provider> | null = null
  const open = async () => {
    const { library, refusals } = await load()
    const provider = new library.Provider(parts.public_url, configurationOf(parts, refusals))
    // What reaches it passed our own door, which says what we are called and whether it came over TLS.
    provider.proxy = true
    provider.on('server_error', (_ctx, error) => parts.onTrouble(error))
    const emitter: EventEmitter = provider
    emitter.on('error', parts.onTrouble)
    return provider
  }
  return () => {
    opened ??= open()
    return opened
  }
}
