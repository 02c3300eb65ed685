import { santiagoDate } from '@timbre/dte/values'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { readAvailability } from './availability.ts'
import { refill } from './refill.ts'
import { readLastRangeSize } from './store.ts'

/** Looks at a stock again some time after a refusal, or after a range that was too small, and asks where it is still low. */
export async function runRefill(ctx: JobContext, { tipo_dte }: { readonly tipo_dte: number }): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (empresa?.row.status !== 'active' || !empresa.row.doc_types.includes(tipo_dte)) return 'done'
  const { scope } = empresa
  const on = santiagoDate(ctx.now())
  await ctx.transact(async (tx) => {
    const { status, available } = await readAvailability(tx.sql, scope, tipo_dte, on)
    const last_range_size = await readLastRangeSize(tx.sql, scope, tipo_dte)
    if (last_range_size === null || (status !== 'low' && status !== 'exhausted')) return
    await refill(tx, scope, { tipo_dte, available, last_range_size, on })
  })
  return 'done'
}
