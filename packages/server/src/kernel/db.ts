import pg from 'pg'
import { ConnectionShares, type Holder } from './connection-shares.ts'
import { PreparedQuery } from './prepared-query.ts'
import { Problem } from './problem.ts'
import type { Sql } from './sql.ts'
import { compose } from './statement-text.ts'

export { type Fragment, integers, joined, type ListedType, listed, name, nothing, oneOf, part } from './fragment.ts'
export type { Sql } from './sql.ts'

const { Pool, Client } = pg
export type PoolClient = pg.PoolClient

/** Sends a statement over a connection, or over the next that is free. */
type Send = (query: PreparedQuery) => Promise<{ readonly rows: unknown[] }>

/**
 * A pool of the driver gives up a connection after any error, for it may be in a state that nobody knows. What a constraint refused is no
 * such error, and a new connection takes ten milliseconds and more: it has everything to plan again.
 */
const overPool =
  (pool: pg.Pool): Send =>
  (query) =>
    new Promise((resolve, reject) => {
      pool.connect((away, client, release) => {
        if (away || !client) return reject(away)
        query.callback = (error, result) => {
          release(error && !isRefusedByConstraint(error) ? error : undefined)
          if (error) reject(error)
          else resolve(result ?? { rows: [] })
        }
        client.query(query)
      })
    })

const overClient =
  (client: PoolClient): Send =>
  (query) =>
    new Promise((resolve, reject) => {
      query.callback = (error, result) => (error ? reject(error) : resolve(result ?? { rows: [] }))
      client.query(query)
    })

function sqlOver(send: Send): Sql {
  return async <Row>(strings: TemplateStringsArray, ...values: unknown[]) => {
    const composed = compose(strings, values)
    try {
      const { rows } = await send(new PreparedQuery(composed.statement, composed.values, parserOf))
      return rows as Row[]
    } catch (error) {
      // Its stack is that of the socket: whoever reads it wants to know who asked.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw overflowed(error)
    }
  }
}

const DATE = 1082
const INT8 = 20
const asText = (value: string) => value
/** Every amount is bounded where it comes in, and a sum of them is not: what no number holds exactly is refused by name. */
const asInteger = (value: string) => {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new Problem('amounts_too_large')
  return number
}

/** A sum that is beyond what the database holds, told as one that is beyond what we hold. */
function overflowed(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === '22003' && message === 'bigint out of range' ? new Problem('amounts_too_large') : error
}

/** What one statement may take. */
export const STATEMENT_SECONDS = 30

/** Civil dates stay text (a Date would move them across zones); int8 is a safe integer or a refusal. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === DATE) return asText
    if (oid === INT8) return asInteger
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text')
  },
} as pg.CustomTypesConfig
const parserOf = (oid: number) => types.getTypeParser(oid, 'text')

export type TransactionWork<T> = (sql: Sql, client: PoolClient, answer: Record<string, unknown>) => Promise<T>

/** Ways to reach the database over one pool of connections. */
export interface Connections {
  readonly sql: Sql
  /** The same within the share of the connections that one account may hold. */
  sqlOf(holder: Holder): Sql
  /**
   * Runs `work` in one transaction; whatever it throws rolls everything back. `questions` are selects without
   * parameters that travel with the begin, in the same round trip; `work` gets the first rows of them, as one.
   */
  transact<T>(work: TransactionWork<T>, questions?: readonly string[], holder?: Holder): Promise<T>
}

export interface Database extends Connections {
  /**
   * Half of the connections, which plan a statement once and by its indexes: for what is asked many times a second and
   * finds its few rows by a key, whatever the values are (decision 0027).
   */
  readonly steady: Connections
  /** A connection of its own, outside the pool: for LISTEN and COPY. */
  connect(): Promise<pg.Client>
  /** How busy the pool is now. Someone waiting for long means that it is too small. */
  usage(): { readonly open: number; readonly idle: number; readonly waiting: number }
  end(): Promise<void>
}

/** A connection that nobody needed for so long is given up. One that plans once has 15 to 20 ms of planning to do before it is as good again. */
const IDLE_MS = 30_000
const STEADY_IDLE_MS = 600_000

const NOBODY: Holder = { account_id: null, mode: null }

export function openDatabase(url: string, options: { pool_size: number; onError(error: Error): void }): Database {
  const connection = {
    connectionString: url,
    types,
    application_name: 'timbre',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  }
  const open = (size: number, idle_ms: number, settings?: string) => {
    const pool = new Pool({
      ...connection,
      ...(settings && { options: settings }),
      max: size,
      idleTimeoutMillis: idle_ms,
      statement_timeout: STATEMENT_SECONDS * 1000,
      idle_in_transaction_session_timeout: 60_000,
    })
    pool.on('error', options.onError)
    pool.on('connect', (client) => {
      // The pool listens to idle connections only. One that dies between two statements of a transaction would speak to
      // nobody, and an error event without a listener ends the process.
      client.on('error', options.onError)
    })
    return { pool, ...connectionsOver(pool, size) }
  }
  const size = Math.max(1, Math.floor(options.pool_size / 2))
  const steady = open(size, STEADY_IDLE_MS, STEADY)
  const { pool, ...general } = open(Math.max(1, options.pool_size - size), IDLE_MS)
  const pools = [pool, steady.pool]
  const sum = (count: (one: pg.Pool) => number) => pools.reduce((total, one) => total + count(one), 0)
  return {
    ...general,
    steady,
    async connect() {
      const client = new Client(connection)
      client.on('error', options.onError)
      await client.connect()
      return client
    },
    usage: () => ({
      open: sum((one) => one.totalCount),
      idle: sum((one) => one.idleCount),
      waiting: sum((one) => one.waitingCount),
    }),
    async end() {
      await Promise.all(pools.map((one) => one.end()))
    },
  }
}

/**
 * A plan is made once a connection and kept. It may be made while a table is still empty, where reading all of it looks
 * cheapest: without that choice it stays good as the table grows. Every row asked for so belongs to one tenant, and is
 * found by a key.
 */
const STEADY = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off'

function connectionsOver(pool: pg.Pool, size: number): Connections {
  const shares = new ConnectionShares(size)
  const sql = sqlOver(overPool(pool))
  return {
    sql,
    sqlOf:
      (holder) =>
      (strings, ...values) =>
        shares.run(holder, () => sql(strings, ...values)),
    transact: (work, questions, holder = NOBODY) => shares.run(holder, () => transactOn(pool, work, questions)),
  }
}

async function transactOn<T>(pool: pg.Pool, work: TransactionWork<T>, questions: readonly string[] = []): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    // Several statements in one message come back as several results; the types of `pg` know only one.
    const text = ['begin', ...questions].join('; ')
    const opened = [await client.query(text)].flat() as pg.QueryResult<Record<string, unknown>>[]
    const answer = Object.assign({}, ...opened.map(({ rows }) => rows[0]))
    const result = await work(sqlOver(overClient(client)), client, answer)
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot even roll back is thrown away with its half-done transaction.
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

const UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

/** Whether an error says that the database is away, as opposed to a mistake of ours. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string' && (UNAVAILABLE.has(code) || code.startsWith('08'))) return true
  return /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
    error.message,
  )
}

const DEADLOCK = '40P01'
const SERIALIZATION = '40001'
const LOCK_NOT_AVAILABLE = '55P03'
const STATEMENT_TIMEOUT = '57014'

const codeOf = (error: unknown) => (error instanceof pg.DatabaseError ? error.code : undefined)

/** Whether PostgreSQL undid a transaction only because another one stood in its way: repeated, it may pass. */
export function isConflict(error: unknown): boolean {
  return [DEADLOCK, SERIALIZATION].includes(codeOf(error) ?? '')
}

/** The same, or it waited for a lock for too long. */
export function isContention(error: unknown): boolean {
  return isConflict(error) || codeOf(error) === LOCK_NOT_AVAILABLE
}

/** Whether a statement took longer than one may: it waited for others, or what it was asked is too much. */
export function isTooLong(error: unknown): boolean {
  return codeOf(error) === STATEMENT_TIMEOUT
}

/** A value written into the text of a question that travels with a begin, which takes no parameters. */
export function literal(value: string): string {
  return pg.escapeLiteral(value)
}

/** Integrity constraint violations (PostgreSQL, appendix A, class 23). */
const isRefusedByConstraint = (error: unknown) => codeOf(error)?.startsWith('23') === true

/** The constraint a unique violation names, or null when the error is something else. */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return null
  return error.constraint ?? ''
}
