import type { Answer } from '../kernel/answer.ts'
import { type Database, isDatabaseAway } from '../kernel/db.ts'
import { isMigrated } from '../kernel/migrate.ts'
import type { PlainRoute } from './server.ts'

const FRESH_MS = 1_000
const PATIENCE_MS = 2_000
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
  const look = isMigrated(db).then((migrated) => (migrated ? null : ('migrations_pending' as const)), reasonOf)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Reason>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, 'database_unreachable')
  })
  return Promise.race([look, late]).finally(() => clearTimeout(timer))
}

/**
 * `/healthz` answers while the process lives: restart it when it does not. `/readyz` answers 200 while it can serve:
 * send it no traffic when it does not. Its look at the database is shared by everyone who asks within a second.
 */
export function healthRoutes(db: Database): PlainRoute[] {
  let looked = Number.NEGATIVE_INFINITY
  let answer: Promise<Reason | null> | null = null
  const ready = () => {
    if (answer === null || performance.now() - looked > FRESH_MS) {
      looked = performance.now()
      answer = whyNotReady(db)
    }
    return answer
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
