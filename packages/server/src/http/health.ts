import type { Answer } from '../kernel/answer.ts'
import { type Database, isDatabaseAway } from '../kernel/db.ts'
import { isMigrated } from '../kernel/migrate.ts'
import type { PlainRoute } from './routes.ts'

const CACHE_MS = 1_000
const TIMEOUT_MS = 2_000
const UNDEFINED_TABLE = '42P01'

type Reason = 'database_unreachable' | 'database_failing' | 'migrations_pending'

function json(status: number, body: object): Answer {
  return { status, headers: {}, body: JSON.stringify(body) }
}

function reasonOf(error: unknown): Reason {
  if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return 'migrations_pending'
  return isDatabaseAway(error) ? 'database_unreachable' : 'database_failing'
}

/** Why this process should get no traffic, or null. A database that is silent for long counts as away. */
async function whyNotReady(db: Database): Promise<Reason | null> {
  const check = isMigrated(db).then((migrated) => (migrated ? null : ('migrations_pending' as const)), reasonOf)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Reason>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, 'database_unreachable')
  })
  return Promise.race([check, late]).finally(() => clearTimeout(timer))
}

/**
 * `/healthz` answers while the process lives: restart it when it does not. `/readyz` answers 200 while it can serve:
 * send it no traffic when it does not. Its check of the database is shared by all requests within a second.
 */
export function healthRoutes(db: Database): PlainRoute[] {
  let checked_at = Number.NEGATIVE_INFINITY
  let last: Promise<Reason | null> | null = null
  const ready = () => {
    if (last === null || performance.now() - checked_at > CACHE_MS) {
      checked_at = performance.now()
      last = whyNotReady(db)
    }
    return last
  }
  return [
    { path: '/healthz', answer: () => json(200, { status: 'up' }) },
    {
      path: '/readyz',
      async answer() {
        const reason = await ready()
        return reason === null ? json(200, { status: 'ready' }) : json(503, { status: 'not_ready', reason })
      },
    },
  ]
}
