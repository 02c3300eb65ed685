import type { Mode } from '../catalog/modes.ts'
import { TURN } from './claim.ts'
import { secondsFrom, systemNow } from './clock.ts'
import { listed, oneOf, part } from './db.ts'
import type { Hint } from './job.ts'
import { LEASE_SECONDS, workerOf } from './queue.ts'
import type { RowCheck, RowWriter } from './rows.ts'
import type { JobRow } from './unit-of-work-sql.ts'

/** A job that this process queued itself and has in memory, and that waits in the queue for whoever claims it. */
export interface WaitingJob extends Pick<JobRow, 'id' | 'name' | 'account_id' | 'pool' | 'lane' | 'run_at' | 'due_at'> {
  readonly mode: Mode | null
  readonly empresa_id: string | null
  readonly payload: unknown
  readonly max_attempts: number
  readonly hint: Hint | undefined
}

/** A job as it was committed. Its payload is what the queue would give. */
export function waitingJob(row: JobRow, xid: string | null): WaitingJob {
  const { id, name, account_id, mode, empresa_id, pool, lane, run_at, due_at, max_attempts } = row
  const payload: unknown = JSON.parse(row.payload)
  const hint = row.hint === undefined || xid === null ? undefined : { told: row.hint, version: xid }
  return {
    id,
    name,
    account_id,
    mode: mode as Mode | null,
    empresa_id,
    pool,
    lane,
    run_at,
    due_at,
    max_attempts,
    payload,
    hint,
  }
}

/** A run of jobs that nobody has claimed. The first statement that lands for it claims them, or one of its own. */
export interface LateRun {
  readonly worker: string
  readonly jobs: readonly WaitingJob[]
  /** Whether one of a lane runs at a time, oldest first. */
  readonly in_order: boolean
  isClaimed(): boolean
  claimed(): void
}

/** Jobs that a run had not claimed are no longer as they were in memory: it wrote nothing, and whoever claims them runs them. */
export class Overtaken extends Error {
  constructor() {
    super('these jobs were taken up by somebody else')
    this.name = 'Overtaken'
  }
}

export interface Late {
  readonly job: WaitingJob
  readonly run: LateRun
}

/** The jobs of a run, each with what it is claimed for. */
export function lateJobs(run: LateRun, ids?: (id: string) => boolean): Late[] {
  return run.jobs.filter(({ id }) => ids?.(id) ?? true).map((job) => ({ job, run }))
}

/** The last of each lane in which jobs keep their order. */
function lastInOrder(jobs: readonly Late[]): WaitingJob[] {
  const last = new Map<string, WaitingJob>()
  for (const { job, run } of jobs) if (run.in_order) last.set(job.lane, job)
  return [...last.values()]
}

/**
 * Whether jobs could be claimed as they are in memory: each waits, due when it was to be, on a clock that nobody set, and nobody
 * waits before them in a lane that goes in order. One that somebody has locked is being claimed.
 */
export const claimableJobs: RowCheck<Late> = (late) => {
  // Locked in the order of their ids, as everywhere.
  const jobs = late.map(({ job }) => job).sort((a, b) => (a.id < b.id ? -1 : 1))
  const ids = jobs.map(({ id }) => id)
  const last = lastInOrder(late)
  return part`select count(*) = ${jobs.length} and not exists (
    select from (select ${listed.text(last.map(({ pool }) => pool))} as pool,
      ${listed.text(last.map(({ account_id }) => account_id ?? '-'))} as account,
      ${listed.text(last.map(({ lane }) => lane))} as lane,
      ${listed.timestamptz(last.map(({ run_at }) => run_at))} as run_at,
      ${listed.text(last.map(({ id }) => id))} as id) l, lateral (
        select from job j where j.status = 'queued' and not j.parked and j.pool = l.pool and ${TURN} = l.account
          and j.lane = l.lane and (j.run_at, j.id) < (l.run_at, l.id) and j.id <> all(${ids}::text[]) limit 1) j
    ) from (select ${listed.text(ids)} as id, ${listed.timestamptz(jobs.map(({ run_at }) => run_at))} as run_at,
      ${listed.timestamptz(jobs.map(({ due_at }) => due_at))} as due_at) v, lateral (
      select from job j
      where j.id = v.id and j.status || '' = 'queued' and j.run_at = v.run_at and j.due_at = v.due_at and j.attempts = 0
        and (j.mode is distinct from 'test' or not exists (
          select from test_clock c where c.account_id = j.account_id and c.empresa_id in ('', j.empresa_id)))
      limit 1 for update of j skip locked) waiting`
}

const idsOf = (late: readonly Late[]) => oneOf(late.map(({ job }) => job.id))

/** Claims jobs in the statement that writes what they did first. */
export const claimedJobs: RowWriter<Late> = (late, when) => {
  const now = new Date(systemNow())
  return [
    part`claimed as (
      update job j set status = 'running', worker = ${workerOf(late.map(({ run }) => run))}, lease_until = ${secondsFrom(now, LEASE_SECONDS)},
        attempts = j.attempts + 1, started_at = coalesce(j.started_at, ${now}::timestamptz)
      from (select from (select) s ${when}) go where j.id ${idsOf(late)})`,
  ]
}

/** Ends jobs in the statement that writes all they did: nobody has to claim them any more. */
export const endedUnclaimed: RowWriter<Late> = (late, when) => [
  part`ended_unclaimed as (
    delete from job j using (select from (select) s ${when}) go where j.id ${idsOf(late)})`,
]
