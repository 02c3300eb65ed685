import { addPeriods, santiagoPeriod } from '@timbre/dte/values'
import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { invalidField } from '../../../kernel/problem.ts'
import { Closed } from '../../../kernel/schema.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaContext } from '../../context.ts'
import type { JobTransaction } from '../../job.ts'
import { type Job, readJob } from '../../platform/job/operations.ts'
import { syncRcv } from './jobs.ts'
import { FIRST_PERIOD, Period } from './period.ts'
import type { SyncRequest } from './schema.ts'
import { recordRequested } from './sync-store.ts'

const optional = Type.Optional

/** The input of the agents' tool in place of one period: months in a row, each read by a job of its own. */
export const SyncRange = Closed({
  period: optional({ ...Period, description: 'One month. Default: the previous month in Santiago.' }),
  from_period: optional({ ...Period, description: 'The first of several months; goes with `to_period`.' }),
  to_period: optional({
    ...Period,
    description: `The last of them: at most ${CEILINGS.rcv_range_months} months, both ends counted.`,
  }),
})
export type SyncRange = Static<typeof SyncRange>

/** One request for each month of the range. */
export function syncRequests(input: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  const { period, from_period, to_period } = input as SyncRange
  if (from_period === undefined && to_period === undefined) return [period === undefined ? {} : { period }]
  if (period !== undefined) throw invalidField('period', 'send either one period or a range.')
  if (from_period === undefined) throw invalidField('from_period', 'it is required beside to_period.')
  if (to_period === undefined) throw invalidField('to_period', 'it is required beside from_period.')
  if (to_period < from_period) throw invalidField('to_period', 'it comes before from_period.')
  if (to_period >= addPeriods(from_period, CEILINGS.rcv_range_months)) {
    throw invalidField('to_period', `a range holds at most ${CEILINGS.rcv_range_months} months.`)
  }
  const months: { period: string }[] = []
  for (let month = from_period; month <= to_period; month = addPeriods(month, 1)) months.push({ period: month })
  return months
}

/** The lane of a reading: one that somebody requested does not wait behind a year of the past. */
export type SyncLane = 'asked' | 'past'

/** Enqueues the reading of a period, unless one of it is queued or running. Gives the id of the job. */
export async function requestPeriod(
  tx: Pick<JobTransaction, 'sql' | 'now' | 'enqueue'>,
  scope: EmpresaScope,
  period: string,
  lane: SyncLane = 'asked',
): Promise<string> {
  const job_id = await tx.enqueue(syncRcv, {
    payload: { period },
    key: `${scope.empresa_id}:${period}`,
    empresa_id: scope.empresa_id,
    lane: `${scope.empresa_id}:${lane}`,
  })
  await recordRequested(tx.sql, scope, period, { job_id, at: tx.now() })
  return job_id
}

/** Requests a period on behalf of a caller. What is found comes later, as a job and as an event. */
export async function requestSync(ctx: EmpresaContext, input: SyncRequest): Promise<Job> {
  const present = santiagoPeriod(ctx.now())
  const period = input.period ?? addPeriods(present, -1)
  if (period > present) throw invalidField('period', 'it has not begun in Santiago.')
  if (period < FIRST_PERIOD) throw invalidField('period', `the register begins with ${FIRST_PERIOD}.`)
  return readJob(ctx, { job_id: await requestPeriod(ctx, ctx.empresa, period) })
}
