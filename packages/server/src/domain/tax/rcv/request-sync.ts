import { invalidField } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { type Job, readJob } from '../../platform/job/operations.ts'
import { askForPeriod } from './ask-sync.ts'
import { FIRST_PERIOD, monthsFrom, periodAt } from './period.ts'
import type { SyncRequest } from './schema.ts'

/** Has a period of the register read again. What it finds comes later, as a job and as an event. */
export async function requestSync(ctx: EmpresaContext, input: SyncRequest): Promise<Job> {
  const present = periodAt(ctx.now())
  const period = input.period ?? monthsFrom(present, -1)
  if (period > present) throw invalidField('period', 'it has not begun in Santiago.')
  if (period < FIRST_PERIOD) throw invalidField('period', `the register begins with ${FIRST_PERIOD}.`)
  return readJob(ctx, { job_id: await askForPeriod(ctx, ctx.empresa, period) })
}
