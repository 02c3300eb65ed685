import type { HandledJob, JobContext } from '../domain/job.ts'
import type { Reactions } from '../domain/reactions.ts'
import type { Cache } from '../kernel/cache.ts'
import { type ClockSetting, nowOf } from '../kernel/clock.ts'
import type { Database, Sql } from '../kernel/db.ts'
import type { JobFact } from '../kernel/job.ts'
import { type LateRun, Overtaken } from '../kernel/late-claim.ts'
import type { Log } from '../kernel/log.ts'
import { NO_OUTBOX } from '../kernel/outbox.ts'
import { type ClaimedJob, deletionOfJobs, endedJobs } from '../kernel/queue.ts'
import type { Transactor } from '../kernel/transactor.ts'
import type { UnitOfWork } from '../kernel/unit-of-work.ts'
import type { Addresses, Ports } from '../ports/ports.ts'
import { claimLate, landClaiming } from './land-claiming.ts'

export interface WorkerParts {
  readonly db: Database
  readonly ports: Ports
  readonly addresses: Addresses
  readonly jobs: readonly HandledJob[]
  readonly log: Log
  readonly cache: Cache
  readonly reactions: Reactions
  readonly transactor: Transactor
  /** Called with how each run of a job ended, for the metrics. */
  readonly onRun?: (fact: JobFact) => void
}

/** The context a job runs in, by a given clock. `runNextDue` is the worker's own: only it performs jobs. */
export function jobContext(
  parts: WorkerParts & { readonly inStep: (own: Sql) => Sql },
  job: ClaimedJob,
  { worker, steady, late }: { readonly worker: string; readonly steady: boolean; readonly late: LateRun | null },
  clock: ClockSetting,
  runNextDue: JobContext['runNextDue'],
): JobContext {
  const { db, ports, addresses } = parts
  const owner = { account_id: job.account_id, mode: job.mode, empresa_id: job.empresa_id, clock }
  const { cache, reactions } = parts
  const now = () => nowOf(clock)
  const requireClaim = async () => {
    if (!late || late.isClaimed()) return false
    if (!(await claimLate(parts.transactor, owner, late, steady))) throw new Overtaken()
    return true
  }
  const transact: JobContext['transact'] = async (work, ends = []) => {
    await requireClaim()
    return parts.transactor.transact(
      owner,
      async (sql, unit) => {
        if (ends.length > 0) unit.end(deletionOfJobs(worker, ends))
        return work({
          request_id: job.id,
          ports,
          addresses,
          cache,
          reactions,
          now,
          sql,
          emit: (event) => unit.emit(event),
          enqueue: (next, request) => unit.enqueue(sql, next, request),
          invalidate: (stale) => unit.invalidate(stale),
          audit: ({ ip = null, ...act }, whose) => {
            const actor = { kind: ip === null ? 'service' : 'anonymous', id: null, ip, request_id: job.id } as const
            unit.audit({ account_id: job.account_id, mode: job.mode, empresa: null, ...whose, ...act, actor })
          },
          write: NO_OUTBOX.write,
        })
      },
      { steady },
    )
  }
  return {
    request_id: job.id,
    ports,
    addresses,
    cache,
    reactions,
    now,
    sql: steady ? parts.inStep(db.steady.sqlOf(job)) : db.sqlOf(job),
    job_id: job.id,
    attempt: job.attempts,
    account_id: job.account_id,
    mode: job.mode,
    empresa_id: job.empresa_id,
    transact,
    async land(as_read, gather, ends = []) {
      const gathered = async (unit: UnitOfWork) =>
        gather({
          now,
          addresses,
          emit: (event) => unit.emit(event),
          enqueue: (next, request) => unit.gather(next, request),
          gather: (writer, rows) => unit.write(writer, rows),
        })
      if (late && !late.isClaimed()) {
        const landing = { as_read, gather: gathered, ends, steady }
        return landClaiming(parts.transactor, owner, late, landing)
      }
      const whole = async (unit: UnitOfWork) => {
        await gathered(unit)
        const rows = ends.map((id) => ({ id, worker }))
        if (rows.length > 0) unit.write(endedJobs, rows)
      }
      return parts.transactor.land(owner, as_read, whole, { steady })
    },
    runNextDue,
    requireClaim,
    endJobs: (ids) => deletionOfJobs(worker, ids),
    enqueue: (next, request) => transact((tx) => tx.enqueue(next, request)),
    invalidate: NO_OUTBOX.invalidate,
    audit: NO_OUTBOX.audit,
    write: NO_OUTBOX.write,
  }
}
