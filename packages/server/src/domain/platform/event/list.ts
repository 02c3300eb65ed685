import { CEILINGS } from '../../../catalog/limits.ts'
import { decodeCursor, encodeCursor, type ListPage } from '../../../kernel/cursor.ts'
import { isId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import type { Event, EventQuery } from './schema.ts'
import { showEvent } from './show.ts'
import { type EventFilter, eventsAfter, eventsBefore, findEvent, type LedgerRow, type Place } from './store.ts'

const BACKWARD = 'events'
const FORWARD = 'events.after'

/** Which empresas the caller may see events of, or null for all and the account itself. */
function reachOf(ctx: AccountContext): readonly string[] | null {
  const { caller } = ctx
  return caller.kind === 'session' || caller.empresas.includes('*') ? null : caller.empresas
}

function pageOf(list: string, bounds: object, rows: readonly LedgerRow[], limit: number): ListPage<Event> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const has_more = rows.length > limit && last !== undefined
  const next_cursor = has_more ? encodeCursor(list, bounds, [last.position, last.seq]) : null
  return { object: 'list', data: shown.map(showEvent), has_more, next_cursor }
}

/** A forward checkpoint: the id of an event the caller has processed, or the cursor of a forward page. */
async function placeAfter(ctx: AccountContext, bounds: object, after: string): Promise<Place> {
  if (!isId('event', after)) return decodeCursor(FORWARD, bounds, after, 'after') as unknown as Place
  const event = await findEvent(ctx.sql, ctx.account, reachOf(ctx), after)
  if (!event) throw new Problem('invalid_cursor', { param: 'after' })
  return [event.position, event.seq]
}

export async function listEvents(ctx: AccountContext, input: EventQuery): Promise<ListPage<Event>> {
  const { limit = CEILINGS.list_default, cursor, after, ...filters } = input
  if (after !== undefined && cursor !== undefined) throw new Problem('conflicting_cursors', { param: 'after' })
  const filter: EventFilter = { ...filters, reach: reachOf(ctx) }
  const bounds = { ...ctx.account, ...filter }
  if (after !== undefined) {
    const place = await placeAfter(ctx, bounds, after)
    return pageOf(FORWARD, bounds, await eventsAfter(ctx.sql, ctx.account, filter, place, limit + 1), limit)
  }
  const place = cursor === undefined ? null : (decodeCursor(BACKWARD, bounds, cursor) as unknown as Place)
  return pageOf(BACKWARD, bounds, await eventsBefore(ctx.sql, ctx.account, filter, place, limit + 1), limit)
}

export async function readEvent(ctx: AccountContext, { event_id }: { event_id: string }): Promise<Event> {
  const row = await findEvent(ctx.sql, ctx.account, reachOf(ctx), event_id)
  if (!row) throw new Problem('event_not_found')
  return showEvent(row)
}
