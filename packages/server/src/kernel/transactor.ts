import type { Cache } from './cache.ts'
import type { Database, Sql } from './db.ts'
import { type FanOut, type Owner, UnitOfWork } from './unit-of-work.ts'

/** Runs inside the transaction; `opened` is the row of the question that travelled with its begin. */
export type TransactionBody<T> = (sql: Sql, unit: UnitOfWork, opened: Readonly<Record<string, unknown>>) => Promise<T>

/**
 * The one way to write: rows, and the events and jobs that go with them, in one transaction; after its commit the caches
 * and the workers are told. Whatever throws undoes all of it.
 */
export interface Transactor {
  transact<T>(owner: Owner, body: TransactionBody<T>, question?: string): Promise<T>
  /** A unit of work that lands in one statement of its own, without a begin. Its caller tells when it has. */
  begin(owner: Owner): UnitOfWork
  committed(unit: UnitOfWork): void
}

export interface TransactorParts {
  readonly db: Database
  readonly cache: Pick<Cache, 'invalidate'>
  /** Tells every process that jobs wait. */
  readonly announce: () => void
  readonly fanOut: FanOut
}

export function openTransactor({ db, cache, announce, fanOut }: TransactorParts): Transactor {
  const begin = (owner: Owner) => new UnitOfWork(owner, fanOut)
  const committed = (unit: UnitOfWork) => unit.committed({ announce, invalidate: cache.invalidate })
  return {
    begin,
    committed,
    async transact(owner, body, question) {
      const unit = begin(owner)
      const result = await db.transact(async (sql, _client, opened) => {
        const done = await body(sql, unit, opened)
        await unit.flush(sql)
        return done
      }, question)
      committed(unit)
      return result
    },
  }
}
