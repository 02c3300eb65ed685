import { createHash } from 'node:crypto'
import { addPeriods, DAY_MS, santiagoDate, santiagoPeriod } from '@timbre/dte/values'
import type { JobOutcome } from '../../../kernel/job.ts'
import { readAutomationSettings } from '../../issuing/automation-settings/automation-settings.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import { requestPeriod } from './request-sync.ts'

const MINUTE_MS = 60_000
/** Early in the morning in Santiago, and not all at the same minute. */
const FROM = 'T09:00:00Z'
const SPREAD_MINUTES = 180
const MONTHS = [0, -1, -2]

/** The next daily run of an empresa or of a bank connection, by its id: always at the same minute of the day. */
export function nextDailyRun(id: string, now: Date): Date {
  const minute = createHash('sha256').update(id).digest().readUInt16BE() % SPREAD_MINUTES
  const today = Date.parse(`${santiagoDate(now)}${FROM}`) + minute * MINUTE_MS
  return new Date(today > now.getTime() ? today : today + DAY_MS)
}

/** Requests the last three months every day. While the automation settings turn it off the job runs and requests none. */
export async function requestDailySync(ctx: JobContext): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
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
