import type { IncomingMessage, ServerResponse } from 'node:http'
import { AGENT_SCOPES } from '../domain/platform/agent-grant/bundles.ts'
import { deleteUnmadeGrant, grantOwner, revokeGrant } from '../domain/platform/agent-grant/revoke.ts'
import type { NodeExchange, PlainRoute, RawRoute } from '../http/routes.ts'
import type { Answer } from '../kernel/answer.ts'
import { describeError } from '../kernel/log.ts'
import { type RateLimiter, windowOf } from '../kernel/rate-limit.ts'
import { INVALIDATED } from '../kernel/unit-of-work.ts'
import { consentErrorPage } from '../pages/consent.ts'
import { agentsRoutes } from './agents-routes.ts'
import { consentRoutes } from './consent-routes.ts'
import { grantRoutes } from './grant-routes.ts'
import { ANY_ORIGIN, metadataRoutes, OAUTH_PATHS } from './metadata.ts'
import { COOKIES, openProvider } from './provider.ts'
import { registerRoutes } from './register-client.ts'
import { type OauthParts, transactFor } from './transact.ts'

export interface OauthRoutes {
  readonly plain: readonly PlainRoute[]
  readonly raw: readonly RawRoute[]
}

/**
 * The library takes its address, and whether its cookies are secure, from the headers. They are overwritten with what is
 * configured: a stranger can write any header.
 */
function overwriteAddress({ headers }: IncomingMessage, public_url: string): void {
  const { host, protocol } = new URL(public_url)
  headers.host = host
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
  delete headers['x-forwarded-host']
}

/** Each authorization starts with nobody logged in: a person who lets an agent in gives the password for it. */
function dropSessionCookie({ headers }: IncomingMessage): void {
  const kept = (headers.cookie ?? '').split(/;\s*/).filter((pair) => !pair.startsWith(COOKIES.session))
  headers.cookie = kept.join('; ')
}

/** Only scopes of ours count. A client that names none requests all, and the person chooses. */
function narrowScope({ searchParams }: URL): void {
  const sent = searchParams.getAll('scope')
  // A repeated parameter is an error that the library reports.
  if (sent.length > 1) return
  const words = (sent[0] ?? '').split(' ').filter((word) => word !== '')
  const known = AGENT_SCOPES.filter((scope) => words.includes(scope))
  if (words.length > 0 && known.length === 0) return
  searchParams.set('scope', (words.length > 0 ? known : AGENT_SCOPES).join(' '))
}

/** The library knows two more response modes, one of them a page with a script: those are replaced by an unknown one, which it refuses. */
function narrowResponseMode({ searchParams }: URL): void {
  const sent = searchParams.getAll('response_mode')
  if (sent.length === 1 && sent[0] !== 'query') searchParams.set('response_mode', 'not_offered')
}

const SLOW_DOWN = JSON.stringify({ error: 'temporarily_unavailable', error_description: 'too many requests' })

/** A 429: JSON for a program, a page for a person. */
function rateLimited(bucket: Bucket): Answer {
  if (bucket === 'oauth.authorize') return consentErrorPage(429)
  return { status: 429, headers: { 'Content-Type': 'application/json', ...ANY_ORIGIN }, body: SLOW_DOWN }
}

type Bucket = 'oauth.authorize' | 'oauth.token'

/** Refuses what the library need not see: one request too many, and a NUL, which no row can hold. */
async function refuseEarly(
  limiter: RateLimiter,
  bucket: Bucket,
  { req }: NodeExchange,
  ip: string,
): Promise<Answer | null> {
  const { allowed, reset_seconds } = await limiter.take([windowOf(bucket, ip)])
  if (allowed) return req.url?.includes('%00') ? consentErrorPage(400) : null
  const { headers, ...answer } = rateLimited(bucket)
  return { ...answer, headers: { ...headers, 'Retry-After': String(reset_seconds) } }
}

/**
 * Before a person has seen who asks, nothing leads away from here: anybody may register a client with any address to return
 * to, and an error sent there would make an open redirect of us (RFC 9700, 4.11.2). What would leave becomes a page of ours.
 */
function keepHere(res: ServerResponse, public_url: string): void {
  const end = res.end.bind(res) as (body?: unknown) => ServerResponse
  res.end = ((body?: unknown) => {
    const location = res.getHeader('location')
    if (location === undefined || new URL(String(location), public_url).origin === public_url) return end(body)
    for (const name of ['location', 'content-length', 'content-type']) res.removeHeader(name)
    const page = consentErrorPage(400)
    res.statusCode = page.status
    for (const [name, value] of Object.entries(page.headers)) res.setHeader(name, value)
    return end(page.body)
  }) as ServerResponse['end']
}

function libraryRoutes(parts: OauthParts, server: ReturnType<typeof openProvider>): RawRoute[] {
  const { public_url } = parts.addresses
  const route = (
    path: string,
    methods: RawRoute['methods'],
    bucket: Bucket,
    prepare: (exchange: NodeExchange) => void = () => undefined,
  ): RawRoute => ({
    path,
    methods,
    async handle(exchange, { ip }) {
      const { req, res } = exchange
      res.setHeader('Cache-Control', 'no-store')
      res.setHeader('Referrer-Policy', 'no-referrer')
      const refused = await refuseEarly(parts.limiter, bucket, exchange, ip)
      if (refused) {
        res.writeHead(refused.status, refused.headers).end(refused.body)
        return
      }
      overwriteAddress(req, public_url)
      prepare(exchange)
      await (await server()).answer(req, res)
    },
  })
  const start = ({ req, res }: NodeExchange) => {
    keepHere(res, public_url)
    dropSessionCookie(req)
    const url = new URL(req.url ?? '/', public_url)
    narrowScope(url)
    narrowResponseMode(url)
    req.url = url.pathname + url.search
  }
  return [
    route(OAUTH_PATHS.authorize, ['GET'], 'oauth.authorize', start),
    route(`${OAUTH_PATHS.authorize}/{uid}`, ['GET'], 'oauth.authorize'),
    route(OAUTH_PATHS.token, ['POST', 'OPTIONS'], 'oauth.token'),
    route(OAUTH_PATHS.revoke, ['POST', 'OPTIONS'], 'oauth.token'),
  ]
}

/** OAuth 2.1 for agents: discovery, client registration, the person's consent, and tokens. */
export function oauthRoutes(parts: OauthParts): OauthRoutes {
  const { db, ports, addresses, log, cache } = parts
  const server = openProvider({
    sql: db.sql,
    public_url: addresses.public_url,
    cookie_keys: ports.sessions.cookie_keys,
    async revoke(grant_id) {
      const owner = await grantOwner(db.sql, grant_id)
      // By the client itself, or because a token of it was used twice: it may have been stolen.
      const actor = { kind: 'agent', id: grant_id, ip: null, request_id: null } as const
      const act = { action: 'agent_grants.revoke', subject: grant_id, actor } as const
      if (owner) await transactFor(parts, owner, act, (ctx) => revokeGrant(ctx, grant_id))
      else await deleteUnmadeGrant(db.sql, grant_id)
    },
    async invalidate(grant_id) {
      await db.sql`select pg_notify(${INVALIDATED}, ${grant_id})`
      cache.invalidate(grant_id)
      await cache.settle()
    },
    onError: (error) => log.error({ error: describeError(error) }, 'the authorization server failed'),
  })
  return {
    plain: [
      ...metadataRoutes(addresses.public_url),
      ...registerRoutes({ sql: db.sql, limiter: parts.limiter }),
      ...consentRoutes({ ...parts, server }),
      ...agentsRoutes(parts),
      ...grantRoutes(parts),
    ],
    raw: libraryRoutes(parts, server),
  }
}
