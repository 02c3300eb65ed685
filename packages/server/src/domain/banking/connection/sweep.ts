import type { JobOutcome } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import { nextDailyRun } from '../../tax/rcv/daily-sync.ts'
import { askForSync } from './ask-sync.ts'
import type { SweepOrder } from './jobs.ts'
import { isLinked } from './machine.ts'
import { findConnection } from './store.ts'

/** Has a bank read every day. One that wants its person again rests until somebody reconnects it. */
export async function runSweep(ctx: JobContext, { connection_id }: SweepOrder): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  if (!empresa) return 'done'
  const { scope, row } = empresa
  const living = await ctx.transact(async (tx) => {
    const connection = await findConnection(tx.sql, scope, connection_id, { hold: true })
    if (connection && isLinked(connection.status) && row.status === 'active')
      await askForSync(tx, scope, connection, { refresh: true })
    return connection !== null
  })
  return living ? { again_at: nextDailyRun(connection_id, ctx.now()) } : 'done'
}
