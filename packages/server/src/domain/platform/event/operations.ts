import { listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { listEvents, readEvent } from './read.ts'
import { Event, EventPath, EventQuery } from './schema.ts'

export const eventOperations = [
  defineOperation({
    id: 'events.list',
    method: 'GET',
    path: '/events',
    summary: 'Read the event ledger',
    description:
      'Newest first by default. With `after` it reads forward from a checkpoint, oldest first, and never skips an ' +
      'event: loop with `after = next_cursor ?? after`. Events are kept for 12 months.',
    reach: 'account',
    scope: 'webhooks:read',
    steady: true,
    query: EventQuery,
    returns: listOf(Event),
    errors: ['invalid_cursor', 'conflicting_cursors'],
    run: listEvents,
  }),
  defineOperation({
    id: 'events.get',
    method: 'GET',
    path: '/events/{event_id}',
    summary: 'Read one event',
    description: 'The same object a webhook delivery carries.',
    reach: 'account',
    scope: 'webhooks:read',
    params: EventPath,
    returns: Event,
    errors: ['event_not_found'],
    run: readEvent,
  }),
]
