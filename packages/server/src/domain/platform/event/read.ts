import { decodeCursor, type ListPage, paginate } from '../../../kernel/cursor.ts'
import { isId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { AccountContext } from '../../context.ts'
import { reachedRuts } from '../empresa/scope.ts'
import type { Event, EventQuery } from './schema.ts'
import { showEvent } from './show.ts'
import { type EventFilter, eventsAfter, eventsBefore, findEvent, type LedgerRow, type Place } from './store.ts'

const BACKWARD = 'events'
const FORWARD = 'events.after'

/** A forward checkpoint: the id of an event the caller has processed, or the cursor of a forward page. */
async function placeAfter(ctx: AccountContext, bounds: object, after: string): Promise<Place> {
  if (!isId('event', after)) return decodeCursor<Place>(ctx, FORWARD, bounds, after, 'after')
  const event = await findEvent(ctx.sql, ctx.account, reachedRuts(ctx.caller), after)
  if (!event) throw new Problem('invalid_cursor', { param: 'after' })
  return [event.position, event.seq]
}

const BOTH_WAYS = {
  placeOf: ({ position, seq }: LedgerRow): Place => [position, seq],
  show: (rows: readonly LedgerRow[]) => rows.map(showEvent),
}

export async function listEvents(ctx: AccountContext, input: EventQuery): Promise<ListPage<Event>> {
  const { limit, cursor, after, ...filters } = input
  if (after !== undefined && cursor !== undefined) throw new Problem('conflicting_cursors', { param: 'after' })
  const filter: EventFilter = { ...filters, reach: reachedRuts(ctx.caller) }
  const bounds = { ...ctx.account, ...filter }
  if (after === undefined) {
    return paginate<LedgerRow, Event, Place>(
      ctx,
      { limit, cursor },
      {
        ...BOTH_WAYS,
        list: BACKWARD,
        filters: bounds,
        fetch: ({ place, take }) => eventsBefore(ctx.sql, ctx.account, filter, place, take),
      },
    )
  }
  const place = await placeAfter(ctx, bounds, after)
  return paginate<LedgerRow, Event, Place>(
    ctx,
    { limit },
    {
      ...BOTH_WAYS,
      list: FORWARD,
      filters: bounds,
      fetch: ({ take }) => eventsAfter(ctx.sql, ctx.account, filter, place, take),
    },
  )
}

export async function readEvent(ctx: AccountContext, { event_id }: { event_id: string }): Promise<Event> {
  const row = await findEvent(ctx.sql, ctx.account, reachedRuts(ctx.caller), event_id)
  if (!row) throw new Problem('event_not_found')
  return showEvent(row)
}
