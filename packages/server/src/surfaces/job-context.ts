import { type ClockSetting, nowOf } from '../kernel/clock.ts'
import type { Database } from '../kernel/db.ts'
import type { AnyJob, JobContext } from '../kernel/job.ts'
import type { Log } from '../kernel/log.ts'
import type { Memory } from '../kernel/memory.ts'
import type { ClaimedJob } from '../kernel/queue.ts'
import { type FanOut, NOTHING_TO_GATHER, Unit } from '../kernel/unit.ts'
import type { Addresses, Ports } from '../ports/ports.ts'

export interface WorkerParts {
  readonly db: Database
  readonly ports: Ports
  readonly addresses: Addresses
  readonly jobs: readonly AnyJob[]
  readonly log: Log
  /** Tells every process that there is work. */
  readonly announce: () => void
  readonly memory: Memory
  readonly fanOut: FanOut
  /** Told how each run of a job ended, for the metrics. */
  readonly onRun?: (fact: JobFact) => void
}

export interface JobFact {
  readonly job: string
  /** `retried` and `postponed` will run again; `failed` is the dead letter. */
  readonly outcome: 'succeeded' | 'postponed' | 'retried' | 'failed'
  readonly seconds: number
}

/** What a job sees while it runs by a given clock. `runNextDue` is the worker's own: only it performs jobs. */
export function jobContext(
  parts: WorkerParts,
  job: ClaimedJob,
  clock: ClockSetting,
  runNextDue: JobContext['runNextDue'],
): JobContext {
  const { db, ports, addresses } = parts
  const owner = { account_id: job.account_id, mode: job.mode, empresa_id: job.empresa_id, clock }
  const common = { request_id: job.id, ports, addresses, recall: parts.memory.recall, now: () => nowOf(clock) }
  const transact: JobContext['transact'] = async (work) => {
    const unit = new Unit(owner, parts.fanOut)
    const result = await db.transact(async (sql) => {
      const done = await work({
        ...common,
        sql,
        emit: (event) => unit.emit(event),
        enqueue: (next, request) => unit.enqueue(sql, next, request),
        invalidate: (stale) => unit.invalidate(stale),
        write: NOTHING_TO_GATHER.write,
      })
      await unit.flush(sql)
      return done
    })
    unit.committed({ announce: parts.announce, forget: parts.memory.forget })
    return result
  }
  return {
    ...common,
    sql: db.sql,
    job_id: job.id,
    attempt: job.attempts,
    account_id: job.account_id,
    mode: job.mode,
    empresa_id: job.empresa_id,
    transact,
    runNextDue,
    enqueue: (next, request) => transact((tx) => tx.enqueue(next, request)),
    invalidate: NOTHING_TO_GATHER.invalidate,
    write: NOTHING_TO_GATHER.write,
  }
}
