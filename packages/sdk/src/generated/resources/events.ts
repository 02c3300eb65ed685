// Generated from the operation table: `npm run generate` writes it anew.

import { type ResourceOf, resource } from '../../resource.ts'
import type { CallOptions, List, PageCall } from '../../shapes.ts'
import type { Event } from '../events.ts'
import type { EventListQuery } from '../types.ts'

export interface EventsResource {
  /**
   * Read the event ledger.
   *
   * Newest first by default. With `after` it reads forward from a checkpoint, oldest first, and never skips an event: loop with `after = next_cursor ?? after`. Events are kept for 12 months.
   *
   * Scope: `webhooks:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/events#events.list
   */
  list(input?: EventListQuery, options?: CallOptions): PageCall<List<Event>>
  /**
   * Read one event.
   *
   * The same object a webhook delivery carries.
   *
   * Scope: `webhooks:read`.
   *
   * @see http://127.0.0.1:3000/docs/reference/events#events.get
   */
  get(event_id: string, options?: CallOptions): Promise<Event>
}

export const events: ResourceOf<EventsResource> = /* @__PURE__ */ resource<EventsResource>({
  list: 'GET /events ql',
  get: 'GET /events/{event_id} ',
})
