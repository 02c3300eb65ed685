import type { Mode } from '../catalog/modes.ts'
import type { ClockSetting } from './clock.ts'
import type { Fragment, Sql } from './db.ts'

/** The owner of the rows, events and jobs that a unit of work writes, and the clock they go by. */
export interface Owner {
  readonly account_id: string | null
  readonly mode: Mode | null
  readonly empresa_id: string | null
  readonly clock: ClockSetting
  /** The empresa is being deleted: nobody else may work on it meanwhile. */
  readonly exclusive?: boolean
}

/** The empresa that a transaction works for was deleted since its call or its job began. */
export class OwnerGone extends Error {
  constructor({ empresa_id }: Pick<Owner, 'empresa_id'>) {
    super(`the empresa ${empresa_id} is gone`)
    this.name = 'OwnerGone'
  }
}

/** For who has nothing left to do once the empresa is gone, and nobody to tell. */
export function unlessOwnerGone(error: unknown): void {
  if (!(error instanceof OwnerGone)) throw error
}

/** A select that locks owners, and how many rows it gives while all of them are there. */
export interface HeldOwners {
  readonly lock: Fragment
  readonly count: number
}

/**
 * Locks the empresa of a transaction as it opens: it stays until the transaction ends, and one that deletes it waits.
 * Null where an owner cannot go away, because there is none or because its mode deletes nothing.
 */
export interface OwnerLock {
  /** A select of one row, `owner`, that travels with the begin. */
  question(owner: Owner): string | null
  /** The same as a part of a statement that is a transaction of its own. */
  part(owner: Owner): HeldOwners | null
  /** The same of several, without waiting: one that somebody locked is not among the rows. */
  partOfMany(owners: readonly Owner[]): HeldOwners | null
  isGone(sql: Sql, owner: Owner): Promise<boolean>
}
