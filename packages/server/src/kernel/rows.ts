import { type Fragment, joined, part } from './db.ts'

/**
 * Makes the parts of a statement that write rows, each `name as (…)`. `when`, the condition under which anything is written, follows what they
 * select from: nothing, or a join with the one row that says so. A condition of its own in each part (`where (select fresh …)`) is a plan of
 * its own, started for every one of them. Rows of several tenants may come together, so each names its own.
 */
export type RowWriter<Row> = (rows: readonly Row[], when: Fragment) => readonly Fragment[]

/**
 * A select of one boolean: whether rows are as they were read, each of them locked that is. `unless_free` ends its lock: nothing, to
 * wait for one that somebody holds, or `skip locked`, to take it for one that changed.
 */
export type RowCheck<Row> = (rows: readonly Row[], unless_free: Fragment) => Fragment

/** Rows and what is done with all of their kind, whatever their type is. */
export interface RowsOf<Work> {
  readonly work: Work
  readonly rows: readonly unknown[]
}

export type AsRead = RowsOf<RowCheck<unknown>>

/** Rows that a statement counts on being as they were read. */
export function asRead<Row>(check: RowCheck<Row>, rows: readonly Row[]): AsRead {
  return { work: check as RowCheck<unknown>, rows }
}

const places = new WeakMap<object, number>()
let next_place = 0

/** A number for what is done with rows: the same for the same work, in this process. */
export function placeOf(work: object): number {
  const known = places.get(work)
  if (known !== undefined) return known
  places.set(work, next_place)
  return next_place++
}

/** Puts rows of the same kind together, the kinds in the order in which they first came. */
export function byWork<Work>(all: readonly RowsOf<Work>[]): RowsOf<Work>[] {
  const kinds = new Map<Work, unknown[]>()
  for (const { work, rows } of all) {
    const others = kinds.get(work)
    if (others) others.push(...rows)
    else kinds.set(work, [...rows])
  }
  return [...kinds].map(([work, rows]) => ({ work, rows }))
}

/** One boolean for all of it. Locks are taken kind by kind, in the order given. */
export function allAsRead(all: readonly AsRead[], unless_free: Fragment): Fragment {
  return joined(
    byWork(all).map(({ work, rows }) => part`(${work(rows, unless_free)})`),
    ' and ',
  )
}
