import { DAY_MS, santiagoPeriod } from '@timbre/dte/values'
import { NEVER } from '../../../kernel/clock.ts'
import { type ListPage, paginate } from '../../../kernel/cursor.ts'
import type { AccountContext } from '../../context.ts'
import { instantOf } from '../../parse-instant.ts'
import { reachedRuts } from '../empresa/scope.ts'
import type { UsageQuery, UsageRecord, UsageRecordQuery, UsageSummary } from './schema.ts'
import { showUsageRecord, showUsageSummary, type UsageRow } from './show.ts'
import { type Place, readMonth, usageBefore } from './store.ts'

/** The RUTs that a call covers: those its caller reaches, narrowed by the filter; null for all of the account. */
function rutsFor({ caller }: AccountContext, empresa_rut: string | undefined): readonly string[] | null {
  const reach = reachedRuts(caller)
  if (empresa_rut === undefined) return reach
  return reach === null || reach.includes(empresa_rut) ? [empresa_rut] : []
}

const EVER = [new Date(0), NEVER] as const
/** After every id there can be. */
const LAST = '~'

/** The instants a month of Santiago lies between, a day wider: the month decides, they only help an index find it. */
function around(period: string): readonly [Date, Date] {
  const [year = 0, month = 1] = period.split('-').map(Number)
  return [new Date(Date.UTC(year, month - 1, 1) - DAY_MS), new Date(Date.UTC(year, month, 1) + DAY_MS)]
}

/** Years that no timestamp of ours can be in are looked for at the nearest one that can. */
const clamped = (ms: number) => new Date(Math.min(Math.max(ms, +EVER[0]), +EVER[1]))

/** From when to when to look, both included. */
function boundsOf(input: UsageRecordQuery): readonly [Date, Date] {
  const [first, last] = input.period === undefined ? EVER : around(input.period)
  const since = input['created_at[gte]']
  const until = input['created_at[lte]']
  const from = since === undefined ? first : instantOf('created_at[gte]', since)
  const to = until === undefined ? last : instantOf('created_at[lte]', until)
  return [clamped(Math.max(+from, +first)), clamped(Math.min(+to, +last))]
}

/** The ledger, newest first. */
export function listUsageRecords(ctx: AccountContext, input: UsageRecordQuery): Promise<ListPage<UsageRecord>> {
  const { limit, cursor, ...filters } = input
  const [from, to] = boundsOf(input)
  const filter = { ...filters, from, ruts: rutsFor(ctx, input.empresa_rut) }
  return paginate<UsageRow, UsageRecord, Place>(
    ctx,
    { limit, cursor },
    {
      list: 'usage_records',
      filters: { ...ctx.account, ...filter },
      fetch: ({ place, take }) => usageBefore(ctx.sql, ctx.account, filter, place ?? [to.toISOString(), LAST], take),
      placeOf: ({ created_at, id }) => [created_at.toISOString(), id],
      show: (rows) => rows.map(showUsageRecord),
    },
  )
}

/** The usage, in a month, of the empresas that the credential reaches. */
export async function summarizeUsage(ctx: AccountContext, input: UsageQuery): Promise<UsageSummary> {
  const period = input.period ?? santiagoPeriod(ctx.now())
  const month = await readMonth(ctx.sql, ctx.account, period, rutsFor(ctx, input.empresa_rut))
  return showUsageSummary(ctx.account, period, month)
}
