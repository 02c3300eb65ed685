import { CEILINGS } from '../../catalog/limits.ts'
import type { AccountContext } from '../../kernel/context.ts'
import { decodeCursor, encodeCursor, type ListPage } from '../../kernel/cursor.ts'
import { instantOf } from '../instant.ts'
import { rutsFor } from './reach.ts'
import type { UsageRecord, UsageRecordQuery } from './schema.ts'
import { showUsageRecord } from './show.ts'
import { type Place, type UsageFilter, usageBefore } from './store.ts'

const LIST = 'usage_records'
const DAY_MS = 24 * 3600 * 1000

/** The month in Santiago decides; the instants around it, a day wider, only let an index find it. */
function monthOf(name: string): UsageFilter['period'] & object {
  const [year = 0, month = 1] = name.split('-').map(Number)
  const from = new Date(Date.UTC(year, month - 1, 1) - DAY_MS)
  return { name, from, to: new Date(Date.UTC(year, month, 1) + DAY_MS) }
}

function filterOf(input: UsageRecordQuery, ruts: readonly string[] | null): UsageFilter {
  const { period, kind, tipo_dte } = input
  const from = input['created_at[gte]']
  const to = input['created_at[lte]']
  return {
    ruts,
    ...(period !== undefined && { period: monthOf(period) }),
    ...(kind !== undefined && { kind }),
    ...(tipo_dte !== undefined && { tipo_dte }),
    ...(from !== undefined && { from: instantOf('created_at[gte]', from) }),
    ...(to !== undefined && { to: instantOf('created_at[lte]', to) }),
  }
}

/** The ledger, newest first. */
export async function listUsageRecords(ctx: AccountContext, input: UsageRecordQuery): Promise<ListPage<UsageRecord>> {
  const { limit = CEILINGS.list_default, cursor } = input
  const filter = filterOf(input, rutsFor(ctx, input.empresa_rut))
  const place = cursor === undefined ? null : (decodeCursor(LIST, filter, cursor) as unknown as Place)
  const rows = await usageBefore(ctx.sql, ctx.account, filter, place, limit + 1)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const has_more = rows.length > limit && last !== undefined
  const next_cursor = has_more ? encodeCursor(LIST, filter, [last.created_at.toISOString(), last.id]) : null
  return { object: 'list', data: shown.map(showUsageRecord), has_more, next_cursor }
}
