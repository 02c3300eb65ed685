import type { IncomingMessage } from 'node:http'
import { describeError } from '../kernel/log.ts'
import { type RateLimiter, windowOf } from '../kernel/rate-limit.ts'
import { INVALIDATED } from '../kernel/unit.ts'
import { endGrant, grantOwner } from '../modules/agent-grant/end.ts'
import { agentPages } from './agent-pages.ts'
import type { NodeExchange, PlainRoute, RawRoute } from './doors.ts'
import { AGENT_SCOPES, ANY_ORIGIN, metadataRoutes, OAUTH_PATHS } from './oauth-metadata.ts'
import { consentRoutes } from './oauth-pages.ts'
import { type OauthParts, transact } from './oauth-parts.ts'
import { COOKIES, openProvider } from './oauth-provider.ts'
import { registerRoutes } from './oauth-register.ts'

export interface Oauth {
  readonly plain: readonly PlainRoute[]
  readonly raw: readonly RawRoute[]
}

/**
 * The library takes addresses and the safety of its cookies from the request; we know both, and a stranger who writes
 * headers does not.
 */
function tellAddress({ headers }: IncomingMessage, public_url: string): void {
  const { host, protocol } = new URL(public_url)
  headers.host = host
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
  delete headers['x-forwarded-host']
}

/** Each request starts with nobody logged in: whoever lets an agent in shows the password for it. */
function forgetLogin({ headers }: IncomingMessage): void {
  const kept = (headers.cookie ?? '').split(/;\s*/).filter((pair) => !pair.startsWith(COOKIES.session))
  headers.cookie = kept.join('; ')
}

/** Only scopes of ours count. Whoever names none asks for all, and the person chooses. */
function narrowScope(req: IncomingMessage, public_url: string): void {
  const url = new URL(req.url ?? '/', public_url)
  const asked = url.searchParams.getAll('scope')
  // Said twice is an error that the library tells.
  if (asked.length > 1) return
  const words = (asked[0] ?? '').split(' ').filter((word) => word !== '')
  const known = AGENT_SCOPES.filter((scope) => words.includes(scope))
  if (words.length > 0 && known.length === 0) return
  url.searchParams.set('scope', (words.length > 0 ? known : AGENT_SCOPES).join(' '))
  req.url = url.pathname + url.search
}

const SLOW_DOWN = JSON.stringify({ error: 'temporarily_unavailable', error_description: 'too many requests' })

async function hasRoom(
  limiter: RateLimiter,
  name: 'oauth.authorize' | 'oauth.token',
  ip: string,
  { res }: NodeExchange,
) {
  const { allowed, reset_seconds } = await limiter.take([windowOf(name, ip)])
  if (allowed) return true
  const headers = { 'Content-Type': 'application/json', 'Retry-After': String(reset_seconds), ...ANY_ORIGIN }
  res.writeHead(429, headers).end(SLOW_DOWN)
  return false
}

function doorsOf(parts: OauthParts, server: ReturnType<typeof openProvider>): RawRoute[] {
  const { public_url } = parts.addresses
  const door = (
    path: string,
    methods: RawRoute['methods'],
    bucket: 'oauth.authorize' | 'oauth.token',
    prepare: (req: IncomingMessage) => void = () => undefined,
  ): RawRoute => ({
    path,
    methods,
    async take(exchange, { ip }) {
      if (!(await hasRoom(parts.limiter, bucket, ip, exchange))) return
      const { req, res } = exchange
      res.setHeader('Cache-Control', 'no-store')
      res.setHeader('Referrer-Policy', 'no-referrer')
      tellAddress(req, public_url)
      prepare(req)
      await (await server()).answer(req, res)
    },
  })
  const start = (req: IncomingMessage) => {
    forgetLogin(req)
    narrowScope(req, public_url)
  }
  return [
    door(OAUTH_PATHS.authorize, ['GET'], 'oauth.authorize', start),
    door(`${OAUTH_PATHS.authorize}/{uid}`, ['GET'], 'oauth.authorize'),
    door(OAUTH_PATHS.token, ['POST', 'OPTIONS'], 'oauth.token'),
    door(OAUTH_PATHS.revoke, ['POST', 'OPTIONS'], 'oauth.token'),
  ]
}

/** OAuth 2.1 for agents: who may ask, the person who decides, and the tokens that come of it. */
export function openOauth(parts: OauthParts): Oauth {
  const { db, ports, addresses, log, memory } = parts
  const server = openProvider({
    sql: db.sql,
    public_url: addresses.public_url,
    cookie_keys: ports.sessions.cookie_keys,
    async end(grant_id) {
      const owner = await grantOwner(db.sql, grant_id)
      if (owner) await transact(parts, owner, (ctx) => endGrant(ctx, grant_id))
    },
    async forget(grant_id) {
      await db.sql`select pg_notify(${INVALIDATED}, ${grant_id})`
      memory.forget(grant_id)
    },
    onTrouble: (error) => log.error({ error: describeError(error) }, 'the authorization server failed'),
  })
  return {
    plain: [
      ...metadataRoutes(addresses.public_url),
      ...registerRoutes({ sql: db.sql, limiter: parts.limiter }),
      ...consentRoutes({ ...parts, server }),
      ...agentPages(parts),
    ],
    raw: doorsOf(parts, server),
  }
}
