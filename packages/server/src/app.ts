import type { FastifyInstance } from 'fastify'
import type { Database } from './kernel/db.ts'
import type { AnyJob } from './kernel/job.ts'
import { openListener } from './kernel/listen.ts'
import type { Log } from './kernel/log.ts'
import { type Memory, openMemory } from './kernel/memory.ts'
import type { Operation } from './kernel/operation.ts'
import type { RateLimiter } from './kernel/rate-limit.ts'
import { INVALIDATED } from './kernel/unit.ts'
import { openAgentAuthenticator } from './modules/agent-grant/authenticate.ts'
import { openAuthenticator } from './modules/api-key/authenticate.ts'
import { requireSubscription } from './modules/subscription/gate.ts'
import { fanOut } from './modules/webhook/fan-out.ts'
import type { Addresses, Ports } from './ports/ports.ts'
import { type AnswerFact, Front } from './surfaces/front.ts'
import { openHttpServer, type PlainRoute } from './surfaces/http-server.ts'
import type { JobFact } from './surfaces/job-context.ts'
import { MCP_PATH, mcpRoutes } from './surfaces/mcp-door.ts'
import { openOauth } from './surfaces/oauth.ts'
import type { Pipeline } from './surfaces/pipeline.ts'
import { routesOf } from './surfaces/routes.ts'
import { openSweep } from './surfaces/sweep.ts'
import { openWorker, type Worker } from './surfaces/worker.ts'

const WORK = 'timbre_work'
const ANNOUNCE_MS = 10

export interface AppParts {
  readonly db: Database
  readonly ports: Ports
  readonly addresses: Addresses
  readonly limiter: RateLimiter
  readonly operations: readonly Operation[]
  readonly jobs: readonly AnyJob[]
  readonly plain: readonly PlainRoute[]
  readonly log: Log
  readonly operator_secret: string | null
  readonly trust_proxy: boolean
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  readonly runs_jobs: boolean
  readonly onAnswer?: (fact: AnswerFact) => void
  readonly onRun?: (fact: JobFact) => void
}

export interface App {
  readonly http: FastifyInstance
  readonly memory: Memory
  readonly worker: Worker
  close(): Promise<void>
}

/**
 * Tells other processes that jobs wait. NOTIFY inside every transaction would line up all commits behind one lock,
 * so it is sent afterwards, and many announcements within a moment become one. Losing one costs a poll interval.
 */
function announcer(db: Database, wake: () => void): () => void {
  let pending = false
  return () => {
    wake()
    if (pending) return
    pending = true
    setTimeout(() => {
      pending = false
      void db.sql`select pg_notify(${WORK}, '')`.catch(() => undefined)
    }, ANNOUNCE_MS).unref()
  }
}

/** Puts the parts together: one process that answers, works, or both. */
export async function openApp(parts: AppParts): Promise<App> {
  const { db, ports, addresses, log } = parts
  const listener = await openListener(db, [WORK, INVALIDATED], log)
  const memory = openMemory(listener)
  const keys = openAuthenticator(db.sql, memory)
  const announce = announcer(db, () => worker.wake())
  const tell = { announce, memory, fanOut }
  const worker: Worker = openWorker(
    { db, ports, addresses, jobs: parts.jobs, log, ...tell, ...(parts.onRun && { onRun: parts.onRun }) },
    { polling: parts.runs_jobs },
  )
  listener.on(WORK, () => worker.wake())
  const pipeline: Pipeline = {
    db,
    sql: db.sql,
    ports,
    addresses,
    keys,
    limiter: parts.limiter,
    operator_secret: parts.operator_secret,
    paywall: (ctx) => requireSubscription(ctx, ctx.empresa),
    ...tell,
  }
  const agents = openAgentAuthenticator({ sql: db.sql, memory, audience: addresses.public_url + MCP_PATH })
  const routes = routesOf(parts.operations)
  const onAnswer = parts.onAnswer && { onAnswer: parts.onAnswer }
  const front = new Front({ pipeline, routes, log, ...onAnswer })
  const oauth = openOauth({ db, ports, addresses, limiter: parts.limiter, log, ...tell })
  const http = openHttpServer({
    pipeline,
    routes,
    plain: [
      ...parts.plain,
      ...oauth.plain,
      ...mcpRoutes({ front, pipeline, operations: parts.operations, agents, log }),
    ],
    raw: oauth.raw,
    log,
    trust_proxy: parts.trust_proxy,
    tls: parts.tls,
    ...onAnswer,
  })
  const sweep = openSweep(db, { keys, agents }, log)
  return {
    http,
    memory,
    worker,
    async close() {
      await http.close()
      await worker.stop()
      await sweep.stop()
      await listener.close()
    },
  }
}
