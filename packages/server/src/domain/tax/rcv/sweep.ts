import type { JobOutcome } from '../../../kernel/job.ts'
import { readAutomationSettings } from '../../issuing/automation-settings/automation-settings.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import { askForPeriod } from './ask-sync.ts'
import { monthsFrom, periodAt } from './period.ts'
import { nextSweep } from './sweep-time.ts'

const MONTHS = [0, -1, -2]

/** Has the last three months read, where the empresa wants that; whoever turns it on again is read from tomorrow on. */
export async function runSweep(ctx: JobContext): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  if (!empresa) return 'done'
  const { scope, row } = empresa
  const { sync_rcv_daily } = await readAutomationSettings({ sql: ctx.sql, empresa: scope })
  if (sync_rcv_daily && row.status === 'active') {
    const present = periodAt(ctx.now())
    await ctx.transact(async (tx) => {
      for (const months of MONTHS) await askForPeriod(tx, scope, monthsFrom(present, months))
    })
  }
  return { again_at: nextSweep(scope.empresa_id, ctx.now()) }
}
