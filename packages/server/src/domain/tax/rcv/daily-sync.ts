import { addPeriods, santiagoPeriod } from '@timbre/dte/values'
import type { JobOutcome } from '../../../kernel/job.ts'
import { nextDailyRun } from '../../daily-run.ts'
import { readAutomationSettings } from '../../issuing/automation-settings/automation-settings.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { requestPeriod } from './request-sync.ts'

const MONTHS = [0, -1, -2]

/** Requests the last three months every day. While the automation settings turn it off the job runs and requests none. */
export async function requestDailyRegisterSync(ctx: JobContext): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope, row } = empresa
  const { sync_rcv_daily } = await readAutomationSettings({ sql: ctx.sql, empresa: scope })
  if (sync_rcv_daily && row.status === 'active') {
    const present = santiagoPeriod(ctx.now())
    await ctx.transact(async (tx) => {
      for (const months of MONTHS) await requestPeriod(tx, scope, addPeriods(present, months))
    })
  }
  return { again_at: nextDailyRun(scope.empresa_id, ctx.now()) }
}
