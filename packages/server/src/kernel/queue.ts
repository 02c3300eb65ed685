import type { Mode } from '../catalog/modes.ts'
import { daysFrom, secondsFrom, systemNow } from './clock.ts'
import { type Fragment, listed, oneOf, part, type Sql } from './db.ts'
import type { RowWriter } from './rows.ts'

/** How long a claimed job belongs to its worker without a sign of life. */
export const LEASE_SECONDS = 20

export interface ClaimedJob {
  readonly id: string
  readonly name: string
  readonly lane: string
  readonly account_id: string | null
  readonly mode: Mode | null
  readonly empresa_id: string | null
  readonly payload: unknown
  readonly due_at: Date
  readonly attempts: number
  /** How often it already asked to be run again later. */
  readonly looks: number
  readonly max_attempts: number
  readonly offset_ms: number | null
  readonly frozen_at: Date | null
}

/** A lane is the line a job waits in: jobs of one name and one owner. */
export function laneOf(name: string, lane: string): string {
  return `${name}|${lane}`
}

/** A job due later than this is parked, so that claiming never walks past it: ten thousand lanes that wait cost it nothing. */
const NEAR_SECONDS = 5
/** So long before it is due a job is unparked. Workers look every second or, where nothing comes, every other. */
const UNPARKED_AHEAD_SECONDS = 3
const UNPARKED_AT_ONCE = 1_000
const MOST_UNPARKED = 20_000

/**
 * The queue by its time alone, whoever waits in it. Only what says so may be read by that index (`job_unparked`): a walk over
 * accounts and lanes, planned while nobody waited, would otherwise read all of it at each probe.
 */
export const UNPARKED = part`status = 'queued' and not parked and run_at > '-infinity'`

/** Whether a job belongs among those that workers walk through. */
export function isParked(run_at: Date): boolean {
  return run_at.getTime() > systemNow() + NEAR_SECONDS * 1000
}

/** Unparks jobs that are due soon. Several workers at once share the rows out. */
export async function unparkJobs(sql: Sql): Promise<void> {
  const soon = secondsFrom(new Date(systemNow()), UNPARKED_AHEAD_SECONDS)
  for (let done = 0; done < MOST_UNPARKED; done += UNPARKED_AT_ONCE) {
    const back = await sql`
      update job set parked = false where id in (
        select id from job where status = 'queued' and parked and run_at <= ${soon} limit ${UNPARKED_AT_ONCE}
        for update skip locked)
      returning 1`
    if (back.length < UNPARKED_AT_ONCE) return
  }
}

/** Whether either of the two, below and above, would find anything: asked together with what is due, nearly always in vain. */
export function needsRecovery(): Fragment {
  const now = new Date(systemNow())
  return part`
    exists (select from job where status = 'queued' and parked and run_at <= ${secondsFrom(now, UNPARKED_AHEAD_SECONDS)})
    or exists (select from job where status = 'running' and lease_until < ${now})`
}

/**
 * Puts jobs whose worker went silent back in their lines, due now: they were begun, so they were due, whatever a clock
 * that stands still says. They take their turn there, and the try counted when it began.
 */
export async function requeueExpiredLeases(sql: Sql): Promise<void> {
  const now = new Date(systemNow())
  await sql`
    update job set status = 'queued', worker = null, lease_until = null, run_at = least(run_at, ${now}), parked = false
    where id in (
      select id from job where status = 'running' and lease_until < ${now} limit 1000 for update skip locked)`
}

/**
 * The same at once and whatever their lease says, for a process that knows it is alone: whoever held them is dead. Does
 * nothing while somebody else is connected to the database, and tells so.
 */
export async function requeueAbandonedJobs(sql: Sql): Promise<{ readonly alone: boolean; readonly jobs: number }> {
  const now = new Date(systemNow())
  const [done] = await sql<{ alone: boolean; jobs: number }>`
    with company as (
      select not exists (select 1 from pg_stat_activity
        where datname = current_database() and usename is not null and pid <> pg_backend_pid()) as alone
    ), put_back as (
      update job set status = 'queued', worker = null, lease_until = null, run_at = least(run_at, ${now}), parked = false
      where status = 'running' and (select alone from company) returning id
    )
    select alone, (select count(*) from put_back) as jobs from company`
  return done as { alone: boolean; jobs: number }
}

/**
 * Renews the lease of everything this worker runs, in one statement. A job that is locked is being ended at this moment and
 * needs none; to wait for it could be to wait for each other.
 */
export async function renewLeases(sql: Sql, worker: string, ids: readonly string[]): Promise<void> {
  const until = secondsFrom(new Date(systemNow()), LEASE_SECONDS)
  await sql`
    update job set lease_until = ${until} where id = any(array(
      select id from job where id = any(${ids}::text[]) and worker = ${worker} and status || '' = 'running'
      for update skip locked))`
}

/** A job that succeeded; `keep` is false where its row is deleted (`delete_on_success`). */
export interface Finished {
  readonly id: string
  readonly result: unknown
  readonly keep: boolean
  /** By the clock of its owner. */
  readonly at: Date
}

// Spelt so that the rows are found by their ids: through the index of what runs, each batch would walk all of it.
const heldBy = (worker: string) => part`j.worker = ${worker} and j.status || '' = 'running'`

/** Who runs what lands together: one process does. */
export function workerOf(runs: readonly { readonly worker: string }[]): string {
  const [worker, ...others] = new Set(runs.map((run) => run.worker))
  if (worker === undefined || others.length > 0) throw new Error('jobs of one worker land together')
  return worker
}

/** Deletes jobs that succeeded, as far as this worker holds them still: a part of the statement that records what they did. */
export function deletionOfJobs(worker: string, ids: readonly string[]): Fragment {
  return part`delete from job j where j.id = any(${ids}::text[]) and ${heldBy(worker)}`
}

/** The same where that statement writes on a condition. */
export const endedJobs: RowWriter<{ readonly id: string; readonly worker: string }> = (jobs, when) => [
  part`ended as (
    delete from job j using (select from (select) s ${when}) go
    where j.id ${oneOf(jobs.map(({ id }) => id))} and ${heldBy(workerOf(jobs))})`,
]

/** Writes the end of many jobs in one round trip. */
export async function finishJobs(sql: Sql, worker: string, jobs: readonly Finished[]): Promise<void> {
  const kept = jobs.filter(({ keep }) => keep)
  const gone = jobs.filter(({ keep }) => !keep)
  await sql`
    with gone as (${deletionOfJobs(
      worker,
      gone.map(({ id }) => id),
    )})
    update job j set status = 'succeeded', result = e.result::json, error = null, lease_until = null,
      finished_at = ${new Date(systemNow())}, clock_finished_at = e.at
    from (select ${listed.text(kept.map(({ id }) => id))} as id,
      ${listed.text(kept.map(({ result }) => (result === undefined ? null : JSON.stringify(result))))} as result,
      ${listed.timestamptz(kept.map(({ at }) => at))} as at) e
    where j.id = e.id and ${heldBy(worker)}`
}

/** Puts a job back for later. `counts` is false when it only asked to wait: then a look is noted and the try given back. */
export async function postponeJob(
  sql: Sql,
  worker: string,
  id: string,
  when: { due_at: Date; run_at: Date; counts: boolean; error: object | null; waits_for: string | null },
): Promise<void> {
  await sql`
    update job set status = 'queued', due_at = ${when.due_at}, run_at = ${when.run_at}, timed_at = ${new Date(systemNow())},
      parked = ${isParked(when.run_at)}, lease_until = null, waits_for = ${when.waits_for},
      attempts = attempts - ${when.counts ? 0 : 1}, looks = looks + ${when.counts ? 0 : 1}, error = ${when.error && JSON.stringify(when.error)}::json
    where id = ${id} and worker = ${worker} and status = 'running'`
}

/**
 * Has the jobs of a name run now that an empresa has waiting for later: what they waited for is there. Their looks are counted
 * anew, for they did not wait in vain.
 */
export async function hastenJobs(
  sql: Sql,
  scope: { readonly account_id: string; readonly mode: Mode; readonly empresa_id: string },
  name: string,
): Promise<void> {
  const now = new Date(systemNow())
  await sql`
    update job set run_at = least(run_at, ${now}), due_at = least(due_at, ${now}), timed_at = ${now},
      parked = false, looks = 0
    where id in (
      select id from job
      where account_id = ${scope.account_id} and mode = ${scope.mode} and empresa_id = ${scope.empresa_id}
        and name = ${name} and status = 'queued'
      order by id for update skip locked)`
}

/** Over how long jobs are spread that waited for the same thing, how many at a time, and how often one of them at most. */
const HASTENED_OVER_SECONDS = 30
const MOST_HASTENED = 200
const HASTENED_AGAIN_SECONDS = 1_800

/**
 * Has jobs run soon, of whomever they are, that were put off because one of these things did not answer: it does again.
 * They are spread over a while and taken a number at a time, so that it is not buried as soon as it is back; those of one
 * lane come together, because they may share a call. Their looks stay: one that is let down each time still ends.
 */
export async function hastenWaiting(sql: Sql, things: readonly string[]): Promise<number> {
  const now = new Date(systemNow())
  const soon = secondsFrom(now, HASTENED_OVER_SECONDS)
  const rows = await sql<{ id: string }>`
    with waiting as (
      select id, ${now}::timestamptz
        + (hashtext(lane) & 2147483647) % (${HASTENED_OVER_SECONDS}::integer * 1000) * interval '1 millisecond' as at
      from job
      where status = 'queued' and waits_for = any(${things}::text[]) and run_at > ${soon}
        and (hastened_at is null or hastened_at <= ${secondsFrom(now, -HASTENED_AGAIN_SECONDS)})
      order by run_at limit ${MOST_HASTENED} for update skip locked
    )
    update job j set run_at = w.at, due_at = least(j.due_at, w.at), timed_at = ${now}, parked = false,
      hastened_at = ${now}
    from waiting w where j.id = w.id returning j.id`
  return rows.length
}

/** The dead letter: the job stays readable, with its last error. */
export async function failJob(sql: Sql, worker: string, id: string, error: object, at: Date): Promise<void> {
  await sql`
    update job set status = 'failed', error = ${JSON.stringify(error)}::json, lease_until = null,
      finished_at = ${new Date(systemNow())}, clock_finished_at = ${at}
    where id = ${id} and worker = ${worker} and status = 'running'`
}

/** Hands a stopping worker's jobs back at once instead of letting their lease run out. */
export async function releaseJobs(sql: Sql, worker: string, ids: readonly string[]): Promise<void> {
  await sql`
    update job set status = 'queued', lease_until = null, attempts = attempts - 1
    where id = any(${ids}::text[]) and worker = ${worker} and status = 'running'`
}

/** Deletes jobs that ended long ago, a bounded number at a time so that no statement locks many rows. */
export async function deleteFinishedJobs(sql: Sql, before: Date): Promise<void> {
  for (let more = true; more; ) {
    const gone = await sql<{ id: string }>`
      delete from job where id in (select id from job where finished_at < ${before} limit 1000) returning id`
    more = gone.length === 1000
  }
}

/** What of the jobs of an empresa has an index to be found by. */
const OPEN = part`status in ('queued', 'running')`
const ENDED = part`finished_at is not null`

/**
 * Deletes jobs of an empresa that is being deleted, at most so many of those that are open and so many of those that
 * ended; true when none is left. A running one finds nothing any more, ends by itself, and how it ended has no row to be
 * written to.
 */
export async function deleteJobsOf(
  sql: Sql,
  scope: { readonly account_id: string; readonly empresa_id: string },
  most: number,
): Promise<boolean> {
  let is_last = true
  for (const which of [OPEN, ENDED]) {
    const gone = await sql`
      delete from job where id in (
        select id from job where account_id = ${scope.account_id} and empresa_id = ${scope.empresa_id} and ${which}
        order by id limit ${most} for update)
      returning 1`
    if (gone.length === most) is_last = false
  }
  return is_last
}

/** Ends the jobs of an empresa that wait, but for letters and the like, which go by real time. One that runs finds the empresa over. */
export async function stopJobsOf(
  sql: Sql,
  scope: { readonly account_id: string; readonly empresa_id: string; readonly mode: string },
  error: { readonly code: string; readonly message: string },
): Promise<void> {
  const now = new Date(systemNow())
  await sql`
    update job set status = 'failed', error = ${JSON.stringify(error)}::json, finished_at = ${now}, clock_finished_at = ${now}
    where account_id = ${scope.account_id} and mode = ${scope.mode} and empresa_id = ${scope.empresa_id}
      and status = 'queued'`
}

export interface QueueDepth {
  /** Due and not claimed; counted to `ceiling`, as `running` is. */
  readonly due: number
  readonly running: number
  /** When the job at the head of the queue fell due, or will. */
  readonly oldest: Date | null
}

/** How long the queue is, read from its partial indexes, whose conditions it repeats, and never past the ceiling. */
export async function readQueueDepth(sql: Sql, ceiling: number): Promise<QueueDepth> {
  const now = new Date(systemNow())
  const unparked = part`from job where ${UNPARKED}`
  const parked = part`from job where status = 'queued' and parked`
  const [row] = await sql<QueueDepth>`
    select
      (select count(*) from (
        (select 1 ${unparked} and run_at <= ${now} order by run_at limit ${ceiling}) union all
        (select 1 ${parked} and run_at <= ${now} order by run_at limit ${ceiling}) limit ${ceiling}) d) as due,
      (select count(*) from (
        select 1 from job where status = 'running' and lease_until > ${daysFrom(now, -1)}
        limit ${ceiling}) r) as running,
      least((select run_at ${unparked} order by run_at limit 1), (select run_at ${parked} order by run_at limit 1))
        as oldest`
  return row as QueueDepth
}
