import { CEILINGS } from '../../../catalog/limits.ts'
import { NEVER } from '../../../kernel/clock.ts'
import { decodeCursor, encodeCursor, type ListPage } from '../../../kernel/cursor.ts'
import type { AccountContext } from '../../context.ts'
import { instantOf } from '../../instant.ts'
import { rutsFor } from './reach.ts'
import type { UsageRecord, UsageRecordQuery } from './schema.ts'
import { showUsageRecord } from './show.ts'
import { type Place, usageBefore } from './store.ts'

const LIST = 'usage_records'
const DAY_MS = 24 * 3600 * 1000
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
export async function listUsageRecords(ctx: AccountContext, input: UsageRecordQuery): Promise<ListPage<UsageRecord>> {
  const { limit = CEILINGS.list_default, cursor, ...filters } = input
  const [from, to] = boundsOf(input)
  const filter = { ...filters, from, ruts: rutsFor(ctx, input.empresa_rut) }
  const bounds = { ...ctx.account, ...filter }
  const place: Place =
    cursor === undefined ? [to.toISOString(), LAST] : (decodeCursor(LIST, bounds, cursor) as unknown as Place)
  const rows = await usageBefore(ctx.sql, ctx.account, filter, place, limit + 1)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const has_more = rows.length > limit && last !== undefined
  const next_cursor = has_more ? encodeCursor(LIST, bounds, [last.created_at.toISOString(), last.id]) : null
  return { object: 'list', data: shown.map(showUsageRecord), has_more, next_cursor }
}
