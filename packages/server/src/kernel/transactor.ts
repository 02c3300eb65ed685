import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cache } from './cache.ts'
import { type Database, isConflict, type Sql } from './db.ts'
import type { KeptAnswer } from './idempotency.ts'
import { openJointWrites } from './joint-writes.ts'
import { openLandings } from './landings.ts'
import type { FanOut } from './listeners.ts'
import { type Owner, OwnerGone, type OwnerLock } from './owner.ts'
import type { AsRead } from './rows.ts'
import { type KeyState, type QueuedJob, UnitOfWork } from './unit-of-work.ts'

/** Runs inside the transaction; `opened` is the row of the question that travelled with its begin. */
export type TransactionBody<T> = (sql: Sql, unit: UnitOfWork, opened: Readonly<Record<string, unknown>>) => Promise<T>

export interface TransactionOptions {
  /** A select without parameters that travels with the begin. */
  readonly question?: string | undefined
  /** On connections that plan a statement once (`Database.steady`). */
  readonly steady?: boolean | undefined
}

/**
 * The one way to write: rows, and the events and jobs that go with them, in one transaction; after its commit the caches
 * and the workers are told. Whatever throws undoes all of it. `body` may run twice: what PostgreSQL undid because
 * another transaction stood in its way is tried once more.
 */
export interface Transactor {
  transact<T>(owner: Owner, body: TransactionBody<T>, options?: TransactionOptions): Promise<T>
  /**
   * Lands what `gather` gathers in one statement, where what was read is as it was; gives the id of that transaction, or
   * null where it is not. What others land in the same turn may be part of the same statement (`landings.ts`).
   */
  land(
    owner: Owner,
    as_read: readonly AsRead[],
    gather: (unit: UnitOfWork) => void | Promise<void>,
    options?: Pick<TransactionOptions, 'steady'>,
  ): Promise<string | null>
  /** A unit of work that is written in one statement, without a begin. */
  begin(owner: Owner): UnitOfWork
  /**
   * Writes such a unit under its key, unless something was before. What others of the same account write meanwhile may be part of
   * the same statement (`joint-writes.ts`). `sql` is the account's own.
   */
  write(unit: UnitOfWork, sql: Sql, kept: KeptAnswer): Promise<KeyState>
  /** Whether the empresa of an owner was deleted. Then whatever went wrong for it went wrong because of that. */
  isGone(owner: Owner): Promise<boolean>
}

export interface TransactorParts {
  readonly db: Database
  readonly cache: Pick<Cache, 'invalidate' | 'settle'>
  /** Tells the workers, here and elsewhere, what waits. */
  readonly announce: (jobs: readonly QueuedJob[]) => void
  readonly fanOut: FanOut
  readonly ownerLock: OwnerLock
}

/** Long enough that the transaction which stood in the way takes the lock it waited for; two never wait alike. */
const pause = () => sleep(20 + randomInt(40))

/** Tries work once more that PostgreSQL undid because another transaction stood in its way. */
export function retryConflict<T>(work: () => Promise<T>): Promise<T> {
  return work().catch(async (error: unknown) => {
    if (!isConflict(error)) throw error
    await pause()
    return work()
  })
}

export function openTransactor({ db, cache, announce, fanOut, ownerLock }: TransactorParts): Transactor {
  const begin = (owner: Owner) => new UnitOfWork(owner, fanOut, ownerLock.part(owner))
  const committed = (unit: UnitOfWork) => unit.committed({ announce, invalidate: cache.invalidate })
  const land = openLandings({ db, ownerLock, fanOut, committed, retryConflict })
  const write = openJointWrites({ ownerLock, fanOut, committed, retryConflict })
  return {
    begin,
    write: (unit, sql, kept) => write({ unit, sql, kept }),
    async land(owner, as_read, gather, { steady = false } = {}) {
      const unit = begin(owner)
      await gather(unit)
      return land({ unit, as_read, steady })
    },
    isGone: (owner) => ownerLock.isGone(db.sql, owner),
    async transact(owner, body, { question, steady = false } = {}) {
      const lock = ownerLock.question(owner)
      const questions = [question, lock].filter((text) => typeof text === 'string')
      const attempt = () =>
        (steady ? db.steady : db).transact(
          async (sql, _client, opened) => {
            if (lock !== null && opened.owner !== true) throw new OwnerGone(owner)
            // A new one each time it is begun: what was gathered for a transaction that failed must not be written twice.
            const unit = begin(owner)
            const result = await body(sql, unit, opened)
            await unit.flush(sql)
            return { unit, result }
          },
          questions,
          owner,
        )
      const { unit, result } = await retryConflict(attempt)
      committed(unit)
      // Whoever hears that a credential ended can count on it everywhere.
      if (unit.invalidates) await cache.settle()
      return result
    },
  }
}
