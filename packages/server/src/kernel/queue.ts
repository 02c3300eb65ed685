import type { Mode } from '../catalog/modes.ts'
import { type ClockSetting, NEVER, secondsFrom, systemNow } from './clock.ts'
import { type Fragment, part, type Sql } from './db.ts'

/** How long a claimed job belongs to its worker without a sign of life. */
export const LEASE_SECONDS = 20

export interface ClaimedJob {
  readonly id: string
  readonly name: string
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

/**
 * Takes up to `most` jobs that are due, oldest first, and those whose worker went silent. `skip locked` lets
 * many workers claim at once without waiting for each other. The clock of the job's owner comes along.
 */
export async function claimJobs(sql: Sql, worker: string, most: number): Promise<ClaimedJob[]> {
  const now = new Date(systemNow())
  return sql<ClaimedJob>`
    with due as (
      select id from job j where status = 'queued' and run_at <= ${now}
        -- A clock on its way runs what falls due itself, in order.
        and (j.mode is distinct from 'test' or not exists (
          select 1 from test_clock c where c.account_id = j.account_id and c.status = 'advancing'))
      order by run_at, id limit ${most} for update skip locked
    ), silent as (
      select id from job where status = 'running' and lease_until < ${now} limit ${most} for update skip locked
    ), taken as (
      update job set status = 'running', worker = ${worker}, lease_until = ${secondsFrom(now, LEASE_SECONDS)},
        attempts = attempts + 1, started_at = coalesce(started_at, ${now})
      where id in (select id from due union all select id from silent)
      returning *
    )
    select t.id, t.name, t.account_id, t.mode, t.empresa_id, t.payload, t.due_at, t.attempts, t.looks, t.max_attempts,
      coalesce(ce.offset_ms, ca.offset_ms) as offset_ms,
      case when ce.account_id is null then ca.frozen_at else ce.frozen_at end as frozen_at
    from taken t
    left join test_clock ca on t.mode = 'test' and ca.account_id = t.account_id and ca.empresa_id = ''
    left join test_clock ce on t.mode = 'test' and ce.account_id = t.account_id and ce.empresa_id = t.empresa_id
    order by t.run_at, t.id`
}

/** Whose clock a sandbox job goes by: the account's, or that of one empresa which has its own. */
export interface ClockOwner {
  readonly account_id: string
  readonly empresa_id: string | null
}

function goesBy({ account_id, empresa_id }: ClockOwner): Fragment {
  const own = part`select 1 from test_clock c where c.account_id = j.account_id and c.empresa_id = j.empresa_id`
  return part`j.account_id = ${account_id} and j.mode = 'test'
    and ${empresa_id === null ? part`not exists (${own})` : part`j.empresa_id = ${empresa_id}`}`
}

/** Whether any job that goes by this clock is being run at this moment. */
export async function isRunningAny(sql: Sql, owner: ClockOwner): Promise<boolean> {
  const [row] = await sql<{ busy: boolean }>`
    select exists (select 1 from job j where j.status = 'running' and ${goesBy(owner)}) as busy`
  return row?.busy ?? false
}

/** After a clock was moved: when, in real time, everything that waits on it falls due. */
export async function retimeJobs(sql: Sql, owner: ClockOwner, clock: ClockSetting): Promise<void> {
  const { frozen_at, offset_ms } = clock
  const run_at =
    frozen_at === null
      ? part`j.due_at - make_interval(secs => ${offset_ms / 1000})`
      : part`case when j.due_at <= ${frozen_at} then now() else ${NEVER} end`
  await sql`update job j set run_at = ${run_at} where j.status = 'queued' and ${goesBy(owner)}`
}

/** The next job due by `until` on its owner's clock, or null when none is left. */
export async function claimNextDue(
  sql: Sql,
  worker: string,
  owner: ClockOwner,
  until: Date,
): Promise<ClaimedJob | null> {
  const lease = secondsFrom(new Date(systemNow()), LEASE_SECONDS)
  const [taken] = await sql<ClaimedJob>`
    update job set status = 'running', worker = ${worker}, lease_until = ${lease}, attempts = attempts + 1,
      started_at = coalesce(started_at, ${until})
    where id = (
      select id from job j where status = 'queued' and due_at <= ${until} and ${goesBy(owner)}
      order by due_at, id limit 1 for update skip locked)
    returning id, name, account_id, mode, empresa_id, payload, due_at, attempts, looks, max_attempts,
      null::bigint as offset_ms, null::timestamptz as frozen_at`
  return taken ?? null
}

/** Signs of life for everything this worker runs, in one statement. */
export async function keepLeases(sql: Sql, worker: string, ids: readonly string[]): Promise<void> {
  const until = secondsFrom(new Date(systemNow()), LEASE_SECONDS)
  await sql`update job set lease_until = ${until} where id = any(${ids}::text[]) and worker = ${worker} and status = 'running'`
}

export async function finishJob(sql: Sql, worker: string, id: string, result: unknown): Promise<void> {
  await sql`
    update job set status = 'succeeded', result = ${result === undefined ? null : JSON.stringify(result)}::json,
      error = null, lease_until = null, finished_at = ${new Date(systemNow())}
    where id = ${id} and worker = ${worker} and status = 'running'`
}

/** Puts a job back for later. `counts` is false when it only asked to wait: then a look is noted and the try given back. */
export async function postponeJob(
  sql: Sql,
  worker: string,
  id: string,
  when: { due_at: Date; run_at: Date; counts: boolean; error: object | null },
): Promise<void> {
  await sql`
    update job set status = 'queued', due_at = ${when.due_at}, run_at = ${when.run_at}, lease_until = null,
      attempts = attempts - ${when.counts ? 0 : 1}, looks = looks + ${when.counts ? 0 : 1}, error = ${when.error && JSON.stringify(when.error)}::json
    where id = ${id} and worker = ${worker} and status = 'running'`
}

/** The dead letter: the job stays readable, with what went wrong last. */
export async function buryJob(sql: Sql, worker: string, id: string, error: object): Promise<void> {
  await sql`
    update job set status = 'failed', error = ${JSON.stringify(error)}::json, lease_until = null,
      finished_at = ${new Date(systemNow())}
    where id = ${id} and worker = ${worker} and status = 'running'`
}

/** Hands a stopping worker's jobs back at once instead of letting their lease run out. */
export async function releaseJobs(sql: Sql, worker: string, ids: readonly string[]): Promise<void> {
  await sql`
    update job set status = 'queued', lease_until = null, attempts = attempts - 1
    where id = any(${ids}::text[]) and worker = ${worker} and status = 'running'`
}

/** Forgets what ended long ago, a bounded number at a time so that no sweep holds many rows. */
export async function dropFinishedJobs(sql: Sql, before: Date): Promise<void> {
  for (let more = true; more; ) {
    const gone = await sql<{ id: string }>`
      delete from job where id in (select id from job where finished_at < ${before} limit 1000) returning id`
    more = gone.length === 1000
  }
}

/** What waits or ended for an empresa that goes away. A job that runs at this moment finds nothing and ends by itself. */
export async function dropJobsOf(sql: Sql, scope: { account_id: string; empresa_id: string }): Promise<void> {
  await sql`
    delete from job where account_id = ${scope.account_id} and empresa_id = ${scope.empresa_id} and status <> 'running'`
}
