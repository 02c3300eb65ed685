import type { FastifyInstance } from 'fastify'
import { forgetLogins } from './adapters/sii/forget-logins.ts'
import type { HandledJob } from './domain/job.ts'
import type { Operation } from './domain/operation.ts'
import { openAgentAuthenticator } from './domain/platform/agent-grant/authenticate.ts'
import { openAuthenticator } from './domain/platform/api-key/authenticate.ts'
import { empresaLock } from './domain/platform/empresa/owner-lock.ts'
import { requireSubscription } from './domain/platform/subscription/gate.ts'
import { openFanOut } from './domain/platform/webhook/fan-out.ts'
import { Bodies } from './http/bodies.ts'
import { CallPlaces } from './http/call-places.ts'
import { Downloads } from './http/downloads.ts'
import type { Pipeline } from './http/pipeline.ts'
import { type AnswerFact, RequestHandler } from './http/request-handler.ts'
import { type PlainRoute, routesOf } from './http/routes.ts'
import { openHttpServer } from './http/server.ts'
import { type Cache, openCache } from './kernel/cache.ts'
import { BARRIER, openCacheLease } from './kernel/cache-lease.ts'
import type { Database } from './kernel/db.ts'
import type { JobFact } from './kernel/job.ts'
import { openListener } from './kernel/listen.ts'
import type { Log } from './kernel/log.ts'
import { withPartitions } from './kernel/partition.ts'
import type { RateLimiter } from './kernel/rate-limit.ts'
import { loadTextBases } from './kernel/text-base.ts'
import { openTransactor, type Transactor } from './kernel/transactor.ts'
import { INVALIDATED, type QueuedJob } from './kernel/unit-of-work.ts'
import { MCP_PATH, mcpRoutes } from './mcp/routes.ts'
import { oauthRoutes } from './oauth/routes.ts'
import type { Addresses, Ports } from './ports/ports.ts'
import { REACTIONS } from './reactions.ts'
import { openHousekeeping } from './worker/housekeeping.ts'
import { openWorker, type Worker } from './worker/worker.ts'

const WORK = 'timbre_work'
const ANNOUNCE_MS = 10

export interface AppParts {
  readonly db: Database
  readonly ports: Ports
  readonly addresses: Addresses
  readonly limiter: RateLimiter
  readonly operations: readonly Operation[]
  readonly jobs: readonly HandledJob[]
  /** Routes beside the operations: pages, contracts, health. */
  readonly plain: (transactor: Transactor) => readonly PlainRoute[]
  readonly log: Log
  readonly operator_secret: string | null
  readonly trust_proxy: boolean
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  readonly runs_jobs: boolean
  readonly onAnswer?: (fact: AnswerFact) => void
  readonly onRun?: (fact: JobFact) => void
  /** In the place of a framework of its own. */
  readonly openHttp?: typeof openHttpServer
}

export interface App {
  readonly http: FastifyInstance
  readonly cache: Cache
  readonly transactor: Transactor
  readonly worker: Worker
  close(): Promise<void>
}

/**
 * Tells the workers that jobs wait: ours, which takes on what it can, and for the rest those of other processes. NOTIFY inside every transaction would line up all commits behind one lock,
 * so it is sent afterwards, and many announcements within a moment become one. Losing one costs a poll interval. Ours comes
 * back to us with our name on it: our worker was told at once, and looks no second time.
 */
function openAnnouncer(db: Database, ours: () => Worker): (jobs: readonly QueuedJob[]) => void {
  let pending = false
  return (jobs) => {
    if (ours().expect(jobs) || pending) return
    pending = true
    setTimeout(() => {
      pending = false
      void db.sql`select pg_notify(${WORK}, ${ours().id})`.catch(() => undefined)
    }, ANNOUNCE_MS).unref()
  }
}

/** Puts the parts together: one process that answers, works, or both. */
export async function openApp(parts: AppParts): Promise<App> {
  const { ports, addresses, log } = parts
  const db = withPartitions(parts.db, () => log.warn('a partition was missing and is made now'))
  await loadTextBases(db.sql)
  const listener = await openListener(db, [WORK, INVALIDATED, BARRIER], log)
  const lease = await openCacheLease(db.sql, listener)
  const cache = openCache(listener, lease)
  const keys = openAuthenticator(db.sql, cache)
  const announce = openAnnouncer(db, () => worker)
  const transactor = openTransactor({ db, cache, announce, fanOut: openFanOut(), ownerLock: empresaLock })
  const common = { db, ports, addresses, cache, transactor, reactions: REACTIONS }
  const worker: Worker = openWorker(
    { ...common, jobs: parts.jobs, log, ...(parts.onRun && { onRun: parts.onRun }) },
    { polling: parts.runs_jobs },
  )
  listener.on(WORK, (whose) => {
    if (whose !== worker.id) worker.wake()
  })
  const pipeline: Pipeline = {
    ...common,
    sql: db.sql,
    keys,
    limiter: parts.limiter,
    downloads: new Downloads(),
    bodies: new Bodies(),
    places: new CallPlaces(),
    operator_secret: parts.operator_secret,
    paywall: (ctx) => requireSubscription(ctx, ctx.empresa),
  }
  const agents = openAgentAuthenticator({ sql: db.sql, cache, audience: addresses.public_url + MCP_PATH })
  const routes = routesOf(parts.operations)
  const onAnswer = parts.onAnswer && { onAnswer: parts.onAnswer }
  const handler = new RequestHandler({ pipeline, routes, log, ...onAnswer })
  const oauth = oauthRoutes({ ...common, limiter: parts.limiter, log })
  const openHttp = parts.openHttp ?? openHttpServer
  const http = openHttp({
    pipeline,
    routes,
    plain: [
      ...parts.plain(transactor),
      ...oauth.plain,
      ...mcpRoutes({ handler, pipeline, operations: parts.operations, agents, log }),
    ],
    raw: oauth.raw,
    log,
    trust_proxy: parts.trust_proxy,
    tls: parts.tls,
    ...onAnswer,
  })
  const housekeeping = openHousekeeping(db, { keys, agents, weather: ports.weather, forgetLogins }, log)
  return {
    http,
    cache,
    transactor,
    worker,
    async close() {
      // Beside each other: while the last calls are answered, no job begins here any more.
      await Promise.all([http.close(), worker.stop()])
      pipeline.bodies.close()
      pipeline.places.close()
      await housekeeping.stop()
      await lease.close()
      await listener.close()
    },
  }
}
