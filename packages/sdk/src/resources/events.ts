import type { Client } from '../client.ts'
import { type EventPattern, type FollowOptions, follow, type Matching } from '../follow.ts'
import { type EventsResource, events as generated } from '../generated/resources/events.ts'

export interface Events extends EventsResource {
  /**
   * Every event of the ledger in its order, for as long as the loop lasts: `for await (const event of timbre.events.follow())`.
   * It never skips one, waits outages out and goes on from its checkpoint. What was being handled when the program ended comes
   * again, with the same id.
   */
  follow<const Pattern extends EventPattern = '*'>(
    options?: FollowOptions<Pattern>,
  ): AsyncGenerator<Matching<Pattern>, void, undefined>
}

/** The ledger, with what follows it. */
export function events(client: Client): Events {
  const base = generated(client)
  return { ...base, follow: (options) => follow(base, options) }
}
