// Lets something happen at a chosen statement of a call or of a job, as if another process had been that quick.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Connections, Database, Sql } from '../../src/kernel/db.ts'

interface Interruption {
  /** How many statements it still lets pass. */
  left: number
  happened: boolean
  readonly happen: () => Promise<void>
}

export interface Interrupter {
  /** The database as the service is to see it. */
  database(db: Database): Database
  /** Runs `work` and has `happen` done before its statement `nth`, counted from 0; false where it has fewer. */
  at<T>(nth: number, happen: () => Promise<void>, work: () => Promise<T>): Promise<{ result: T; happened: boolean }>
}

/** Statements are told apart by who started them, so whatever runs beside the work under test is left alone. */
export function openInterrupter(): Interrupter {
  const current = new AsyncLocalStorage<Interruption>()
  const pause = async () => {
    const interruption = current.getStore()
    if (!interruption || interruption.happened || interruption.left-- > 0) return
    interruption.happened = true
    await current.exit(interruption.happen)
  }
  const paused =
    (sql: Sql): Sql =>
    async (strings, ...values) => {
      await pause()
      return sql(strings, ...values)
    }
  const interrupted = (connections: Connections): Connections => ({
    sql: paused(connections.sql),
    sqlOf: (holder) => paused(connections.sqlOf(holder)),
    async transact(work, questions) {
      await pause()
      return connections.transact((sql, client, answer) => work(paused(sql), client, answer), questions)
    },
  })
  return {
    database: (db) => ({ ...db, ...interrupted(db), steady: interrupted(db.steady) }),
    async at(nth, happen, work) {
      const interruption = { left: nth, happened: false, happen }
      const result = await current.run(interruption, work)
      const { happened } = interruption
      // What it left behind, such as a timer that wakes the workers, is not interrupted any more.
      interruption.happened = true
      return { result, happened }
    },
  }
}
