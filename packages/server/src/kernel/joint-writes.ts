import { ShareExhausted } from './connection-shares.ts'
import { isDatabaseAway, type Sql } from './db.ts'
import { type KeptAnswer, lockOf } from './idempotency.ts'
import type { LandingParts } from './landings.ts'
import { type KeyState, UnitOfWork } from './unit-of-work.ts'

/** What one call writes in one statement, under its idempotency key. */
interface WriteOrder {
  readonly unit: UnitOfWork
  /** Its own way to the database, within the share of its account. */
  readonly sql: Sql
  readonly kept: KeptAnswer
}

interface Waiting extends WriteOrder {
  /** What its key is known by: a statement takes each only once. */
  readonly lock: string
  readonly resolve: (state: KeyState) => void
  readonly reject: (error: unknown) => void
}

/** Writes of one account that may be one statement. */
interface Line {
  waiting: Waiting[]
  under_way: number
  begins: boolean
}

/** Calls in one statement: beyond this, what costs is no longer the statement. */
const MOST = 16
/** Statements of one line at a time, so that PostgreSQL works on one while another is on its way. */
const UNDER_WAY = 2
/** A statement that takes longer waits for somebody: those who come after it do not. */
const PATIENCE_MS = 50

/** As many as may be one statement, oldest first. A key comes once: whoever repeats it is to find it taken. */
function takeGroup(line: Line): Waiting[] {
  const group = new Map<string, Waiting>()
  const left: Waiting[] = []
  for (const one of line.waiting) {
    if (group.size < MOST && !group.has(one.lock)) group.set(one.lock, one)
    else left.push(one)
  }
  line.waiting = left
  return [...group.values()]
}

/**
 * Writes calls of one account that come while others are on their way: they gather, and go as one statement, all or nothing. One that
 * comes alone goes at once. A joint statement waits for no empresa that somebody locked, and where it does not land, whatever the
 * reason, each call is written alone, as if there had been no other: it is refused by its own constraint, finds its own key used.
 */
export function openJointWrites({ ownerLock, fanOut, committed, retryConflict }: Omit<LandingParts, 'db'>) {
  const lines = new Map<string, Line>()

  async function writeAlone({ unit, sql, kept }: WriteOrder): Promise<KeyState> {
    const state = await retryConflict(() => unit.flushInOneStatement(sql, [kept]))
    if (state.fresh) committed(unit)
    return state
  }

  /** Null where it did not land. */
  async function writeJointly(sql: Sql, group: readonly Waiting[]): Promise<KeyState | null> {
    const units = group.map(({ unit }) => unit)
    const joint = UnitOfWork.joint(units, fanOut, ownerLock.partOfMany(units.map(({ owner }) => owner)))
    const kept = group.map((one) => one.kept)
    const state = await joint.flushInOneStatement(sql, kept).catch((error: unknown) => {
      // Nobody knows what became of it, or there is no connection for any of them: none would fare better.
      if (isDatabaseAway(error) || error instanceof ShareExhausted) throw error
      return null
    })
    if (!state?.fresh) return null
    committed(joint)
    return state
  }

  async function write(group: readonly Waiting[]): Promise<void> {
    const alone = (one: Waiting) => writeAlone(one).then(one.resolve, one.reject)
    const [first, second] = group
    if (!first || !second) {
      await Promise.all(group.map(alone))
      return
    }
    try {
      const state = await writeJointly(first.sql, group)
      if (state === null) await Promise.all(group.map(alone))
      else for (const one of group) one.resolve(state)
    } catch (error) {
      for (const one of group) one.reject(error)
    }
  }

  function begin(name: string, line: Line): void {
    const group = takeGroup(line)
    line.under_way++
    let counts = true
    const makeRoom = () => {
      if (!counts) return
      counts = false
      clearTimeout(patience)
      line.under_way--
      drain(name, line)
    }
    const patience = setTimeout(makeRoom, PATIENCE_MS).unref()
    void write(group).finally(makeRoom)
  }

  function drain(name: string, line: Line): void {
    line.begins = false
    while (line.waiting.length > 0 && line.under_way < UNDER_WAY) begin(name, line)
    if (line.waiting.length === 0 && line.under_way === 0) lines.delete(name)
  }

  return (order: WriteOrder): Promise<KeyState> => {
    const { unit, sql, kept } = order
    if (!unit.joins) return writeAlone(order)
    const name = `${unit.owner.account_id}|${unit.owner.mode}|${unit.kind()}`
    const line = lines.get(name) ?? { waiting: [], under_way: 0, begins: false }
    lines.set(name, line)
    return new Promise((resolve, reject) => {
      line.waiting.push({ unit, sql, kept, lock: lockOf(kept.key), resolve, reject })
      if (line.begins || line.under_way >= UNDER_WAY) return
      line.begins = true
      setImmediate(drain, name, line)
    })
  }
}
