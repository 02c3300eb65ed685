import { type Cut, PARTITIONS } from '../catalog/retention.ts'
import { daysFrom, systemNow } from './clock.ts'
import { type Connections, type Database, isContention, type PoolClient } from './db.ts'
import { idFloor, idInstant } from './id.ts'
import { LOCKS } from './locks.ts'

/** Start of the day, month or year `steps` away from the one `now` is in, in UTC. */
function boundary(every: Cut['every'], now: Date, steps: number): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (every === 'year') return new Date(Date.UTC(year + steps, 0, 1))
  return every === 'month' ? new Date(Date.UTC(year, month + steps, 1)) : new Date(Date.UTC(year, month, day + steps))
}

const LABEL_CHARS = { year: 4, month: 7, day: 10 } as const

function label(every: Cut['every'], start: Date): string {
  return start.toISOString().slice(0, LABEL_CHARS[every]).replaceAll('-', '')
}

function bound(cut: Cut, at: Date): string {
  return cut.by === 'created_at' ? `'${at.toISOString()}'` : `'${idFloor(cut.by, at)}'`
}

async function make(client: PoolClient, cut: Cut, from: Date): Promise<void> {
  const to = boundary(cut.every, from, 1)
  const partition = `${cut.table}_${label(cut.every, from)}`
  const { rows } = await client.query<{ known: string | null }>('select to_regclass($1) as known', [partition])
  if (rows[0]?.known) return
  // Made beside the table and then attached: nobody who reads or writes the others waits for it, nor it for a backup that reads them.
  await client.query(`create table ${partition} (like ${cut.table} including defaults including constraints including storage
    including compression including generated) ${cut.storage ? `with (${cut.storage})` : ''}`)
  await client.query(`alter table ${cut.table} attach partition ${partition}
    for values from (${bound(cut, from)}) to (${bound(cut, to)})`)
  for (const [index, columns] of Object.entries(cut.unique ?? {})) {
    await client.query(`create unique index ${partition}_${index} on ${partition} ${columns}`)
  }
}

async function makeAhead(client: PoolClient, cut: Cut, now: Date): Promise<void> {
  for (let step = 0; step <= cut.ahead; step++) await make(client, cut, boundary(cut.every, now, step))
  if (cut.ahead_days) await make(client, cut, boundary(cut.every, daysFrom(now, cut.ahead_days), 0))
}

/** The oldest instant of which rows are kept. */
const keptFrom = (cut: Cut, now: Date) => boundary(cut.every, now, -cut.keep)

async function pastOf(client: PoolClient, cut: Cut, now: Date): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass`,
    [cut.table],
  )
  const last = `${cut.table}_${label(cut.every, keptFrom(cut, now))}`
  return rows.map(({ name }) => name).filter((name) => name.startsWith(`${cut.table}_`) && name < last)
}

/** Rows that go in one statement where they are deleted: what waits for them waits for a moment. */
const DELETED_AT_ONCE = 10_000

/** Deletes what names rows that are about to go, a few at a time. */
async function forgetNames(db: Database, cut: Cut, now: Date): Promise<void> {
  const gone = bound(cut, keptFrom(cut, now))
  for (const [table, column] of cut.named_by ?? []) {
    const few = `delete from ${table} where ctid = any (array(
      select ctid from ${table} where ${column} < ${gone} limit ${DELETED_AT_ONCE}))`
    for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; ) {
      deleted = await db.transact(async (_sql, client) => (await client.query(few)).rowCount ?? 0)
    }
  }
}

/**
 * Whoever comes after one that waits for a whole table waits with it: what is past may as well go in another round. Far less than
 * PostgreSQL takes to look for a deadlock, so that of two who wait for each other it is never a call that is undone.
 */
const DROP_PATIENCE = '200ms'
const DROP_TRIES = 5

async function dropPast(client: PoolClient, cut: Cut, now: Date): Promise<void> {
  await client.query(`set local lock_timeout = '${DROP_PATIENCE}'`)
  const tables = [...(cut.named_by ?? []).map(([table]) => table), cut.table]
  await client.query(`lock table ${tables.join(', ')} in access exclusive mode`)
  for (const name of await pastOf(client, cut, now)) {
    // A table that others refer to is let go only once it stands alone.
    if (cut.named_by) await client.query(`alter table ${cut.table} detach partition ${name}`)
    await client.query(`drop table ${name}`)
  }
}

/** A transaction for each table: one that held several of them closed would stand across others that write into them. */
async function eachTable(db: Database, work: (client: PoolClient, cut: Cut) => Promise<void>): Promise<void> {
  for (const cut of PARTITIONS) await oneTable(db, (client) => work(client, cut))
}

function oneTable(db: Database, work: (client: PoolClient) => Promise<void>): Promise<void> {
  return db.transact(async (_sql, client) => {
    await client.query(`select pg_advisory_xact_lock(${LOCKS.partitions})`)
    await work(client)
  })
}

/** Makes the partitions the next while needs. */
export function makePartitions(db: Database, now = new Date(systemNow())): Promise<void> {
  return eachTable(db, (client, cut) => makeAhead(client, cut, now))
}

/**
 * Makes the partitions the next while needs and drops those past their retention at `past`, which a service takes from
 * `retentionNow`. Safe to run anywhere, any time.
 */
export async function maintainPartitions(db: Database, now = new Date(systemNow()), past = now): Promise<void> {
  await makePartitions(db, now)
  for (const cut of PARTITIONS) {
    const gone = await db.transact((_sql, client) => pastOf(client, cut, past))
    if (gone.length === 0) continue
    await forgetNames(db, cut, past)
    for (let tries = 0, dropped = false; tries < DROP_TRIES && !dropped; tries++) {
      dropped = await oneTable(db, (client) => dropPast(client, cut, past)).then(
        () => true,
        (error: unknown) => {
          if (isContention(error)) return false
          throw error
        },
      )
    }
  }
  // A dump restored into a younger cluster would number new events below old ones: lift the offset first.
  await db.sql`update ledger_epoch set xid_offset = top.position + 1 - pg_current_xact_id()::text::bigint
    from (select max(position) as position from event) top where top.position >= ledger_position()`
}

/** The partition of a table that holds what is written now. */
export function presentPartition(table: string, now = new Date(systemNow())): string {
  const cut = PARTITIONS.find((one) => one.table === table)
  if (!cut) throw new Error(`${table} is not cut`)
  return `${table}_${label(cut.every, now)}`
}

/** The instant of a row that found no partition, or of a statement that named one that is not there; null of any other error. */
function lackedInstant(error: unknown): Date | null {
  const { code, routine, table, detail, message } = error as Record<string, unknown>
  const now = new Date(systemNow())
  if (code === '42P01') {
    const named = PARTITIONS.some((one) => String(message).includes(presentPartition(one.table, now)))
    return named ? now : null
  }
  // Told by the routine that raises it: the message is in the language of the server.
  if (code !== '23514' || routine !== 'ExecFindPartition') return null
  const cut = PARTITIONS.find((one) => one.table === table)
  if (!cut) return null
  const told = String(detail)
  const key = told.slice(told.indexOf('= (') + 3, told.lastIndexOf(')'))
  const at = cut.by === 'created_at' ? new Date(key) : idInstant(key)
  return at === null || Number.isNaN(at.getTime()) ? now : at
}

/** Each try may find that another table, or a row of another day, lacks its own. */
const MOST_TRIES = 4

/**
 * The same database, for a machine that may have slept past the last partition, or whose clock was set: what finds none
 * has it made and is done once more, from its beginning. Made is what the row needs and not what today does: a statement
 * that is sent again has the ids it had, and a document of another day is written about today. A transaction reaches no
 * network, so that doing it again is harmless.
 */
export function withPartitions(db: Database, onMissing: () => void = () => undefined): Database {
  const making = new Map<string, Promise<void>>()
  const makeAt = (at: Date) => {
    const day = label('day', at)
    const begun =
      making.get(day) ??
      eachTable(db, (client, cut) => make(client, cut, boundary(cut.every, at, 0))).finally(() => making.delete(day))
    making.set(day, begun)
    return begun
  }
  const insist = async <T>(work: () => Promise<T>, tries = 1): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const at = tries < MOST_TRIES ? lackedInstant(error) : null
      if (at === null) throw error
      onMissing()
      await makeAt(at)
      return insist(work, tries + 1)
    }
  }
  const insisting = (connections: Connections): Connections => ({
    sql: (strings, ...values) => insist(() => connections.sql(strings, ...values)),
    sqlOf: (holder) => {
      const sql = connections.sqlOf(holder)
      return (strings, ...values) => insist(() => sql(strings, ...values))
    },
    transact: (work, questions, holder) => insist(() => connections.transact(work, questions, holder)),
  })
  return { ...db, ...insisting(db), steady: insisting(db.steady) }
}
