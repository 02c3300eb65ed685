import { type Database, isDatabaseAway, nothing, part } from './db.ts'
import type { FanOut } from './listeners.ts'
import type { OwnerLock } from './owner.ts'
import { type AsRead, allAsRead, placeOf } from './rows.ts'
import { UnitOfWork } from './unit-of-work.ts'

/** What one lane writes in one statement, while what it read is as it was. */
interface LandingOrder {
  readonly unit: UnitOfWork
  readonly as_read: readonly AsRead[]
  readonly steady: boolean
}

interface Waiting extends LandingOrder {
  readonly resolve: (xid: string | null) => void
  readonly reject: (error: unknown) => void
}

export interface LandingParts {
  readonly db: Database
  readonly ownerLock: OwnerLock
  readonly fanOut: FanOut
  readonly committed: (unit: UnitOfWork) => void
  /** Tries once more what PostgreSQL undid because another transaction stood in its way. */
  readonly retryConflict: <T>(work: () => Promise<T>) => Promise<T>
}

/** What writes more than this lands by itself: the statement is no longer what costs. */
const SMALL = 25
const MOST = 16

const rowsIn = ({ as_read }: LandingOrder) => Math.max(...as_read.map(({ rows }) => rows.length))

/** Landings of one name are the same statement, and read the same clock. */
function kindOf({ unit, as_read, steady }: LandingOrder): string {
  return `${steady}|${as_read.map(({ work }) => placeOf(work)).join()}|${unit.kind()}`
}

/** Groups that may be one statement: of one kind, and of each empresa one, so that no row is written twice in it. */
function groupsOf(landings: readonly Waiting[]): Waiting[][] {
  const groups = new Map<string, Waiting[]>()
  const rounds = new Map<string, number>()
  for (const landing of landings) {
    const kind = kindOf(landing)
    const own = `${kind}|${landing.unit.owner.empresa_id}`
    const round = rounds.get(own) ?? 0
    rounds.set(own, round + 1)
    const name = `${kind}|${round}`
    const group = groups.get(name) ?? []
    groups.set(name, group)
    group.push(landing)
  }
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / MOST) }, (_, i) => group.slice(i * MOST, (i + 1) * MOST)),
  )
}

/**
 * Lands what lanes wrote that run in step (`in-step.ts`): what lands in one turn of the event loop is one statement, all or
 * nothing. It waits for no lock of a row that somebody holds. Where it does not land, whatever the reason, each lands alone, as
 * if there had been no other: what keeps one of them back keeps back that one.
 */
export function openLandings({ db, ownerLock, fanOut, committed, retryConflict }: LandingParts) {
  let waiting: Waiting[] = []

  async function landAlone({ unit, as_read, steady }: LandingOrder): Promise<string | null> {
    const sql = (steady ? db.steady : db).sqlOf(unit.owner)
    const xid = await retryConflict(() => unit.flushUnchanged(sql, allAsRead(as_read, nothing)))
    if (xid !== null) committed(unit)
    return xid
  }

  async function landJointly(group: readonly Waiting[]): Promise<string | null> {
    const units = group.map(({ unit }) => unit)
    const joint = UnitOfWork.joint(units, fanOut, ownerLock.partOfMany(units.map(({ owner }) => owner)))
    const as_read = group.flatMap((one) => one.as_read)
    const { sql } = group[0]?.steady ? db.steady : db
    const xid = await joint.flushUnchanged(sql, allAsRead(as_read, part`skip locked`)).catch((error: unknown) => {
      // Nobody knows what became of it, and none of them would fare better.
      if (isDatabaseAway(error)) throw error
      return null
    })
    if (xid !== null) committed(joint)
    return xid
  }

  async function land(group: readonly Waiting[]): Promise<void> {
    const alone = (one: Waiting) => landAlone(one).then(one.resolve, one.reject)
    if (group.length === 1) await Promise.all(group.map(alone))
    else {
      try {
        const xid = await landJointly(group)
        if (xid === null) await Promise.all(group.map(alone))
        else for (const one of group) one.resolve(xid)
      } catch (error) {
        for (const one of group) one.reject(error)
      }
    }
  }

  function drain(): void {
    const landings = waiting
    waiting = []
    for (const group of groupsOf(landings)) void land(group)
  }

  return (landing: LandingOrder): Promise<string | null> => {
    const { unit, as_read, steady } = landing
    if (rowsIn(landing) > SMALL) return landAlone(landing)
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(drain)
      waiting.push({ unit, as_read, steady, resolve, reject })
    })
  }
}
