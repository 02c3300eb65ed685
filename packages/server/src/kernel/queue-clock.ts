import { type ClockSetting, NEVER, secondsFrom, systemNow } from './clock.ts'
import { type Fragment, part, type Sql } from './db.ts'
import { type ClaimedJob, LEASE_SECONDS, unparkJobs } from './queue.ts'

// Jobs of test mode go by the clock of their account, or of an empresa that has its own.

/** The owner of a test clock: the account, or one empresa that has a clock of its own. */
export interface ClockOwner {
  readonly account_id: string
  readonly empresa_id: string | null
}

function onClockOf({ account_id, empresa_id }: ClockOwner): Fragment {
  const own = part`select 1 from test_clock c where c.account_id = j.account_id and c.empresa_id = j.empresa_id`
  return part`j.account_id = ${account_id} and j.mode = 'test'
    and ${empresa_id === null ? part`not exists (${own})` : part`j.empresa_id = ${empresa_id}`}`
}

/** Whether any job of this clock is running. */
export async function hasRunningJobs(sql: Sql, owner: ClockOwner): Promise<boolean> {
  const [row] = await sql<{ busy: boolean }>`
    select exists (select 1 from job j where j.status = 'running' and ${onClockOf(owner)}) as busy`
  return row?.busy ?? false
}

/**
 * After a clock was moved: when, in real time, everything that waits on it falls due. What an empresa with a clock of its
 * own left to be done by the account carries that empresa's date: a clock that runs puts nothing off by being moved.
 */
export async function retimeJobs(sql: Sql, owner: ClockOwner, clock: ClockSetting): Promise<void> {
  const { frozen_at, offset_ms } = clock
  const run_at =
    frozen_at === null
      ? part`least(j.run_at, j.due_at - make_interval(secs => ${offset_ms / 1000}))`
      : part`case when j.due_at <= ${frozen_at} then now() else ${NEVER} end`
  // Parked first: what is due is brought back before the next look, and what is not must not be walked past.
  await sql`update job j set run_at = ${run_at}, parked = true where j.status = 'queued' and ${onClockOf(owner)}`
  await unparkJobs(sql)
}

/** Before a clock goes back: queued jobs keep their distance from it. One that goes by a civil date checks it and waits on. */
export async function shiftJobsBack(sql: Sql, owner: ClockOwner, ms: number): Promise<void> {
  await sql`
    update job j set due_at = j.due_at - make_interval(secs => ${ms / 1000})
    where j.status = 'queued' and ${onClockOf(owner)}`
}

/** The next job due by `until` on its owner's clock, or null when none is left. It starts when it was due, or at `from`. */
export async function claimNextDue(
  sql: Sql,
  worker: string,
  owner: ClockOwner,
  until: Date,
  from: Date,
): Promise<ClaimedJob | null> {
  const now = new Date(systemNow())
  const [taken] = await sql<ClaimedJob>`
    update job set status = 'running', worker = ${worker}, lease_until = ${secondsFrom(now, LEASE_SECONDS)},
      attempts = attempts + 1, started_at = coalesce(started_at, greatest(due_at, ${from}))
    where id = (
      select id from job j where status = 'queued' and due_at <= ${until} and ${onClockOf(owner)}
      order by due_at, id limit 1 for update skip locked)
    returning id, name, lane, account_id, mode, empresa_id, payload, due_at, attempts, looks, max_attempts,
      null::bigint as offset_ms, null::timestamptz as frozen_at`
  return taken ?? null
}

/** A reading of the clock that lies so far in the future was wrong. Two machines are never so far apart. */
const WRONG_SECONDS = 60
const BATCH = 1_000

/**
 * Has jobs that were told when to run by a clock that was ahead run as far from now as they were to run from then: else
 * they would wait for as long as it was wrong. Gives how many.
 */
export async function correctJobTimes(sql: Sql): Promise<number> {
  const now = new Date(systemNow())
  const shifted = (at: Fragment) => part`${at} - (j.timed_at - ${now}::timestamptz)`
  let corrected = 0
  for (let more = true; more; ) {
    const rows = await sql<{ id: string }>`
      update job j set due_at = ${shifted(part`j.due_at`)}, timed_at = ${now}, parked = true,
        run_at = case when j.run_at < ${NEVER} then ${shifted(part`j.run_at`)} else j.run_at end
      where id in (
        select id from job where status = 'queued' and timed_at > ${secondsFrom(now, WRONG_SECONDS)}
        limit ${BATCH} for update skip locked)
      returning id`
    corrected += rows.length
    more = rows.length === BATCH
  }
  // Parked first: those that are due are brought back before the next look.
  if (corrected > 0) await unparkJobs(sql)
  return corrected
}
