import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { type Job, readJob } from '../../platform/job/operations.ts'
import { askForSync } from './ask-sync.ts'
import { isLinked } from './machine.ts'
import { wrongStatus } from './problems.ts'
import { requireConnection } from './read.ts'
import type { ConnectionPath } from './schema.ts'

function tooSoon(next: Date, now: Date): Problem {
  return new Problem('rate_limited', {
    message: 'A bank is asked anew every five minutes at most.',
    retry_after_seconds: Math.max(1, Math.ceil((next.getTime() - now.getTime()) / 1000)),
    details: { next_refresh_allowed_at: next.toISOString() },
  })
}

/** Has a bank read now. What it finds comes later, as a job and as an event. */
export async function requestSync(ctx: EmpresaContext, { connection_id }: ConnectionPath): Promise<Job> {
  const row = await requireConnection(ctx, connection_id, { hold: true })
  if (!isLinked(row.status)) throw wrongStatus(row)
  const { job_id, fresh } = await askForSync(ctx, ctx.empresa, row, { refresh: true })
  const next = row.next_refresh_allowed_at
  // Refused after it was asked for: the refusal takes the job back with it.
  if (fresh && next !== null && next > ctx.now()) throw tooSoon(next, ctx.now())
  return readJob(ctx, { job_id })
}
