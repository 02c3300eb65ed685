import type { AccountContext } from '../../context.ts'
import { rutsFor } from './reach.ts'
import { periodOf } from './record.ts'
import type { UsageQuery, UsageSummary } from './schema.ts'
import { showUsageSummary } from './show.ts'
import { readMonth } from './store.ts'

/** What the empresas that the credential reaches used in a month. */
export async function summarizeUsage(ctx: AccountContext, input: UsageQuery): Promise<UsageSummary> {
  const period = input.period ?? periodOf(ctx.now())
  const month = await readMonth(ctx.sql, ctx.account, period, rutsFor(ctx, input.empresa_rut))
  return showUsageSummary(ctx.account, period, month)
}
