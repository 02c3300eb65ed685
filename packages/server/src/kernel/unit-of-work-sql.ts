import type { IdKind } from '../catalog/ids.ts'
import { systemNow } from './clock.ts'
import { type Fragment, listed, part } from './db.ts'
import type { EventData } from './event-data.ts'
import { idFloor } from './id.ts'
import type { Job, Pool } from './job.ts'
import { laneOf } from './queue.ts'

export interface JobRow {
  readonly id: string
  readonly name: string
  readonly type: string | null
  readonly account_id: string | null
  readonly mode: string | null
  readonly empresa_id: string | null
  readonly key: string | null
  readonly pool: Pool
  readonly lane: string
  readonly parked: boolean
  readonly payload: string
  readonly due_at: Date
  readonly run_at: Date
  readonly max_attempts: number
  /** Whether the process that queued it may run it before it is claimed. */
  readonly claims_late: boolean
  readonly hint: unknown
}

export interface EventRow extends EventData {
  readonly id: string
  readonly account_id: string | null
  readonly mode: string | null
  readonly empresa_id: string | null
  readonly empresa_rut: string | null
  readonly type: string
}

/** What `ledger_position()` gives, written out: as the default of the column it was planned anew for every statement. */
const POSITION = part`(select pg_current_xact_id()::text::bigint + xid_offset from ledger_epoch)`

/** `when` ends each select: nothing, or the condition under which anything is written at all. */
export function insertEvents(events: readonly EventRow[], at: Date, when: Fragment): Fragment {
  return part`
    insert into event (id, account_id, mode, empresa_id, empresa_rut, type, created_at, data, packed, base_id, position)
    select e.id, e.account_id, e.mode, e.empresa_id, e.empresa_rut, e.type, ${at}::timestamptz, e.data::json, e.packed,
      e.base_id, ${POSITION}
    from (select ${listed.text(events.map((e) => e.id))} as id,
      ${listed.text(events.map((e) => e.account_id))} as account_id,
      ${listed.text(events.map((e) => e.mode))} as mode,
      ${listed.text(events.map((e) => e.empresa_id))} as empresa_id,
      ${listed.text(events.map((e) => e.empresa_rut))} as empresa_rut,
      ${listed.text(events.map((e) => e.type))} as type, ${listed.text(events.map((e) => e.data))} as data,
      ${listed.bytea(events.map((e) => e.packed))} as packed,
      ${listed.smallint(events.map((e) => e.base_id))} as base_id) e
    ${when}
    returning id, account_id, mode, empresa_rut, type`
}

export function insertJobs(jobs: readonly JobRow[], at: Date, when: Fragment): Fragment {
  return part`
    insert into job (id, name, type, account_id, mode, empresa_id, key, pool, lane, parked, payload, due_at, run_at,
      max_attempts, created_at, timed_at)
    select j.id, j.name, j.type, j.account_id, j.mode, j.empresa_id, j.key, j.pool, j.lane, j.parked,
      j.payload::json, j.due_at, j.run_at, j.max_attempts, ${at}::timestamptz,
      ${new Date(systemNow())}::timestamptz
    from (select ${listed.text(jobs.map((j) => j.id))} as id, ${listed.text(jobs.map((j) => j.name))} as name,
      ${listed.text(jobs.map((j) => j.type))} as type,
      ${listed.text(jobs.map((j) => j.account_id))} as account_id,
      ${listed.text(jobs.map((j) => j.mode))} as mode,
      ${listed.text(jobs.map((j) => j.empresa_id))} as empresa_id,
      ${listed.text(jobs.map((j) => j.key))} as key, ${listed.text(jobs.map((j) => j.pool))} as pool,
      ${listed.text(jobs.map((j) => j.lane))} as lane, ${listed.boolean(jobs.map((j) => j.parked))} as parked,
      ${listed.text(jobs.map((j) => j.payload))} as payload,
      ${listed.timestamptz(jobs.map((j) => j.due_at))} as due_at,
      ${listed.timestamptz(jobs.map((j) => j.run_at))} as run_at,
      ${listed.integer(jobs.map((j) => j.max_attempts))} as max_attempts) j
    ${when}`
}

// Half of an id is time, half is random. Hexadecimal digits are within its alphabet.
const RANDOM_CHARS = 16
const random = part`left(replace(gen_random_uuid()::text, '-', ''), ${RANDOM_CHARS}::integer)`

/** An id that PostgreSQL makes for each row of a statement. */
export function newIdAt(kind: IdKind, at: Date): Fragment {
  return part`${idFloor(kind, at).slice(0, -RANDOM_CHARS)}::text || ${random}`
}

export interface JobsFrom {
  readonly job: Pick<Job<unknown>, 'name' | 'pool' | 'max_attempts'>
  /** The part of the statement that holds a row for each job, under the alias `s`. */
  readonly rows: Fragment
  readonly account_id: Fragment
  readonly mode: Fragment
  /** What the lane is called after the name of the job. */
  readonly lane: Fragment
  readonly payload: Fragment
  readonly when: { readonly created_at: Date; readonly due_at: Date; readonly run_at: Date }
}

/** A job for each row that another part of the same statement wrote. */
export function insertJobsFrom({ job, rows, account_id, mode, lane, payload, when }: JobsFrom): Fragment {
  return part`
    insert into job (id, name, account_id, mode, pool, lane, payload, due_at, run_at, max_attempts, created_at, timed_at)
    select ${newIdAt('job', when.created_at)}, ${job.name}::text, ${account_id}, ${mode}, ${job.pool}::text,
      ${laneOf(job.name, '')}::text || ${lane}, ${payload},
      ${when.due_at}::timestamptz, ${when.run_at}::timestamptz, ${job.max_attempts}::integer,
      ${when.created_at}::timestamptz, ${when.created_at}::timestamptz
    from ${rows} s`
}
