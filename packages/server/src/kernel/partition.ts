import { PARTITIONS } from '../catalog/retention.ts'
import { systemNow } from './clock.ts'
import type { Database, PoolClient } from './db.ts'
import { idFloor } from './id.ts'
import { LOCKS } from './locks.ts'

type Cut = (typeof PARTITIONS)[number]

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

async function cutTable(client: PoolClient, cut: Cut, now: Date): Promise<void> {
  for (let step = 0; step <= cut.ahead; step++) {
    const from = boundary(cut.every, now, step)
    const to = boundary(cut.every, now, step + 1)
    await client.query(`create table if not exists ${cut.table}_${label(cut.every, from)} partition of ${cut.table}
      for values from (${bound(cut, from)}) to (${bound(cut, to)})`)
  }
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass`,
    [cut.table],
  )
  const last = `${cut.table}_${label(cut.every, boundary(cut.every, now, -cut.keep))}`
  for (const { name } of rows)
    if (name.startsWith(`${cut.table}_`) && name < last) await client.query(`drop table ${name}`)
}

/** Makes the partitions the next while needs and drops those past their retention. Safe to run anywhere, any time. */
export async function maintainPartitions(db: Database, now = new Date(systemNow())): Promise<void> {
  await db.transact(async (_sql, client) => {
    await client.query(`select pg_advisory_xact_lock(${LOCKS.partitions})`)
    for (const cut of PARTITIONS) await cutTable(client, cut, now)
    // A dump restored into a younger cluster would number new events below old ones: lift the offset first.
    await client.query(`update ledger_epoch set xid_offset = top.position + 1 - pg_current_xact_id()::text::bigint
      from (select max(position) as position from event) top where top.position >= ledger_position()`)
  })
}

// Told by the routine that raises it: the message is in the language of the server.
function lacksPartition(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '23514' && routine === 'ExecFindPartition'
}

/**
 * The same database, for a machine that may have slept past the last partition: what finds none has it made and is done
 * once more, from its beginning. A transaction reaches no network, so that doing it again is harmless.
 */
export function withPartitions(db: Database, onMissing: () => void = () => undefined): Database {
  let making: Promise<void> | null = null
  const make = () => {
    making ??= maintainPartitions(db).finally(() => {
      making = null
    })
    return making
  }
  const insist = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!lacksPartition(error)) throw error
      onMissing()
      await make()
      return work()
    }
  }
  return {
    ...db,
    sql: (strings, ...values) => insist(() => db.sql(strings, ...values)),
    sqlOf: (holder) => {
      const sql = db.sqlOf(holder)
      return (strings, ...values) => insist(() => sql(strings, ...values))
    },
    transact: (work, questions, holder) => insist(() => db.transact(work, questions, holder)),
  }
}
