import type { JobOutcome } from '../../../kernel/job.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaContext } from '../../context.ts'
import { nextDailyRun } from '../../daily-run.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { type Job, readJob } from '../../platform/job/operations.ts'
import { type SyncDailyOrder, syncConnection } from './jobs.ts'
import { isLinked } from './machine.ts'
import { wrongStatus } from './problems.ts'
import { requireConnection } from './read.ts'
import type { ConnectionPath } from './schema.ts'
import type { ConnectionRow } from './show.ts'
import { findConnection, recordSyncJob } from './store.ts'

export interface SyncRequest {
  readonly job_id: string
  /** False when a sync was queued or running already: then that one is the answer. */
  readonly fresh: boolean
}

/** Enqueues a sync. While one of the connection waits or runs no second one is made. */
export async function enqueueSync(
  tx: Pick<JobTransaction, 'sql' | 'enqueue'>,
  scope: EmpresaScope,
  row: ConnectionRow,
  { refresh }: { readonly refresh: boolean },
): Promise<SyncRequest> {
  const job_id = await tx.enqueue(syncConnection, {
    payload: { connection_id: row.id, refresh },
    key: row.id,
    empresa_id: scope.empresa_id,
    lane: row.id,
  })
  const fresh = job_id !== row.sync_job_id
  if (fresh) await recordSyncJob(tx.sql, scope, row.id, job_id)
  return { job_id, fresh }
}

function tooSoon(next: Date, now: Date): Problem {
  return new Problem('rate_limited', {
    message: 'A bank is asked anew every five minutes at most.',
    retry_after_seconds: Math.max(1, Math.ceil((next.getTime() - now.getTime()) / 1000)),
    details: { next_refresh_allowed_at: next.toISOString() },
  })
}

/** Syncs a connection now. The result comes later, as a job and as an event. */
export async function requestSync(ctx: EmpresaContext, { connection_id }: ConnectionPath): Promise<Job> {
  const row = await requireConnection(ctx, connection_id, { lock: true })
  if (!isLinked(row.status)) throw wrongStatus(row)
  const { job_id, fresh } = await enqueueSync(ctx, ctx.empresa, row, { refresh: true })
  const next = row.next_refresh_allowed_at
  // Refused after the job was enqueued: the refusal rolls the job back.
  if (fresh && next !== null && next > ctx.now()) throw tooSoon(next, ctx.now())
  return readJob(ctx, { job_id })
}

/** Handles the daily job: enqueues a sync. A connection whose bank wants the person again rests until somebody reconnects it. */
export async function requestDailyConnectionSync(
  ctx: JobContext,
  { connection_id }: SyncDailyOrder,
): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope, row } = empresa
  const living = await ctx.transact(async (tx) => {
    const connection = await findConnection(tx.sql, scope, connection_id, { lock: true })
    if (connection && isLinked(connection.status) && row.status === 'active')
      await enqueueSync(tx, scope, connection, { refresh: true })
    return connection !== null
  })
  return living ? { again_at: nextDailyRun(connection_id, ctx.now()) } : 'done'
}
