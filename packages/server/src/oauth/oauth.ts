import type { IncomingMessage } from 'node:http'
import { dropUnmade, endGrant, grantOwner } from '../domain/platform/agent-grant/end.ts'
import type { NodeExchange, PlainRoute, RawRoute } from '../http/route-types.ts'
import type { Answer } from '../kernel/answer.ts'
import { describeError } from '../kernel/log.ts'
import { type RateLimiter, windowOf } from '../kernel/rate-limit.ts'
import { INVALIDATED } from '../kernel/unit-of-work.ts'
import { troublePage } from '../pages/consent.ts'
import { agentPages } from './grant-page.ts'
import { AGENT_SCOPES, ANY_ORIGIN, metadataRoutes, OAUTH_PATHS } from './metadata.ts'
import { consentRoutes } from './pages.ts'
import { type OauthParts, transactFor } from './parts.ts'
import { COOKIES, openProvider } from './provider.ts'
import { registerRoutes } from './register.ts'

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
function narrowScope({ searchParams }: URL): void {
  const asked = searchParams.getAll('scope')
  // Said twice is an error that the library tells.
  if (asked.length > 1) return
  const words = (asked[0] ?? '').split(' ').filter((word) => word !== '')
  const known = AGENT_SCOPES.filter((scope) => words.includes(scope))
  if (words.length > 0 && known.length === 0) return
  searchParams.set('scope', (words.length > 0 ? known : AGENT_SCOPES).join(' '))
}

/** The library answers in two more ways, one of them a page with a script: it is told of one that it does not know. */
function narrowMode({ searchParams }: URL): void {
  const asked = searchParams.getAll('response_mode')
  if (asked.length === 1 && asked[0] !== 'query') searchParams.set('response_mode', 'not_offered')
}

const SLOW_DOWN = JSON.stringify({ error: 'temporarily_unavailable', error_description: 'too many requests' })

/** Who came too often: a program is told in its words, and a person in theirs. */
function tooOften(bucket: Bucket): Answer {
  if (bucket === 'oauth.authorize') return troublePage(429)
  return { status: 429, headers: { 'Content-Type': 'application/json', ...ANY_ORIGIN }, body: SLOW_DOWN }
}

type Bucket = 'oauth.authorize' | 'oauth.token'

/** What the library need not see: one who came too often, and what no row can hold (a NUL). */
async function refusedAtDoor(
  limiter: RateLimiter,
  bucket: Bucket,
  { req }: NodeExchange,
  ip: string,
): Promise<Answer | null> {
  const { allowed, reset_seconds } = await limiter.take([windowOf(bucket, ip)])
  if (allowed) return req.url?.includes('%00') ? troublePage(400) : null
  const { headers, ...answer } = tooOften(bucket)
  return { ...answer, headers: { ...headers, 'Retry-After': String(reset_seconds) } }
}

function doorsOf(parts: OauthParts, server: ReturnType<typeof openProvider>): RawRoute[] {
  const { public_url } = parts.addresses
  const door = (
    path: string,
    methods: RawRoute['methods'],
    bucket: Bucket,
    prepare: (req: IncomingMessage) => void = () => undefined,
  ): RawRoute => ({
    path,
    methods,
    async take(exchange, { ip }) {
      const { req, res } = exchange
      res.setHeader('Cache-Control', 'no-store')
      res.setHeader('Referrer-Policy', 'no-referrer')
      const refused = await refusedAtDoor(parts.limiter, bucket, exchange, ip)
      if (refused) {
        res.writeHead(refused.status, refused.headers).end(refused.body)
        return
      }
      tellAddress(req, public_url)
      prepare(req)
      await (await server()).answer(req, res)
    },
  })
  const start = (req: IncomingMessage) => {
    forgetLogin(req)
    const url = new URL(req.url ?? '/', public_url)
    narrowScope(url)
    narrowMode(url)
    req.url = url.pathname + url.search
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
  const { db, ports, addresses, log, cache } = parts
  const server = openProvider({
    sql: db.sql,
    public_url: addresses.public_url,
    cookie_keys: ports.sessions.cookie_keys,
    async end(grant_id) {
      const owner = await grantOwner(db.sql, grant_id)
      if (owner) await transactFor(parts, owner, (ctx) => endGrant(ctx, grant_id))
      else await dropUnmade(db.sql, grant_id)
    },
    async forget(grant_id) {
      await db.sql`select pg_notify(${INVALIDATED}, ${grant_id})`
      cache.invalidate(grant_id)
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
