import type { Api, Page } from '../api/api.ts'
import { explain } from '../api/explain.ts'
import type { LedgerEvent } from './event.ts'
import type { Delivery } from './forward.ts'

interface ListedDelivery {
  readonly id: string
  readonly event_id: string
  readonly trigger: 'automatic' | 'replay' | 'ping'
}

/** What was looked at so far: it goes into the checkpoint. */
export interface SeenDeliveries {
  /** By webhook endpoint, the delivery up to which all were looked at. */
  readonly floors: Readonly<Record<string, string>>
  /** Replays above the floors that are done with. */
  readonly done: readonly string[]
}

export const NONE_SEEN: SeenDeliveries = { floors: {}, done: [] }

const PAGE = 100
/** Pages of one endpoint that are looked back through in one look. */
const MOST_PAGES = 20
/** Deliveries that are looked at again: one that commits late has a smaller id than some that were seen before it. */
const OVERLAP = 20
const MOST_DONE = 400
const ENDPOINTS_MS = 60_000

/**
 * Replays that people ask for, on the dashboard or by the API. The ledger does not tell of them: they are deliveries of an
 * endpoint with `trigger: replay`. One endpoint is looked at in each turn, so that sixteen of them cost no more than one.
 */
export class ReplayWatch {
  readonly #api: Api
  readonly #floors: Map<string, string>
  readonly #done: Set<string>
  #endpoints: readonly string[] = []
  #turn = 0
  #listed = 0

  constructor(api: Api, { floors, done }: SeenDeliveries) {
    this.#api = api
    this.#floors = new Map(Object.entries(floors))
    this.#done = new Set(done)
  }

  get seen(): SeenDeliveries {
    return { floors: Object.fromEntries(this.#floors), done: [...this.#done].slice(-MOST_DONE) }
  }

  /** A replay was forwarded, or its tries ended. */
  handled({ id }: Delivery): void {
    this.#done.add(id)
  }

  /** Replays of the next endpoint in turn that are not done with, oldest first. */
  async look(now = Date.now()): Promise<readonly Delivery[]> {
    if (now - this.#listed >= ENDPOINTS_MS) await this.#listEndpoints(now)
    const endpoint = this.#endpoints[this.#turn++ % Math.max(1, this.#endpoints.length)]
    return endpoint === undefined ? [] : this.#replaysOf(endpoint)
  }

  async #listEndpoints(now: number): Promise<void> {
    const { data } = await this.#api.call<Page<{ id: string }>>('GET', '/webhook_endpoints', { query: { limit: PAGE } })
    this.#listed = now
    this.#endpoints = data.map(({ id }) => id)
    for (const id of this.#endpoints) if (!this.#floors.has(id)) await this.#beginWith(id)
  }

  /** What was replayed before an endpoint was first looked at is past. */
  async #beginWith(endpoint: string): Promise<void> {
    const { data } = await this.#page(endpoint)
    for (const { id, trigger } of data) if (trigger === 'replay') this.#done.add(id)
    this.#floors.set(endpoint, data[OVERLAP]?.id ?? '')
  }

  #page(endpoint: string, cursor?: string): Promise<Page<ListedDelivery>> {
    const query = { limit: PAGE, ...(cursor && { cursor }) }
    return this.#api.call('GET', `/webhook_endpoints/${endpoint}/deliveries`, { query })
  }

  /** Newest first, down to the floor: ids of deliveries begin with the time at which they were made. */
  async #replaysOf(endpoint: string): Promise<readonly Delivery[]> {
    const floor = this.#floors.get(endpoint) ?? ''
    const fresh: ListedDelivery[] = []
    let cursor: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const { data, next_cursor } = await this.#page(endpoint, cursor)
      const above = data.filter(({ id }) => id > floor)
      fresh.push(...above)
      if (above.length < data.length || !next_cursor) break
      cursor = next_cursor
    }
    const replays = fresh.filter(({ id, trigger }) => trigger === 'replay' && !this.#done.has(id)).reverse()
    const found: Delivery[] = []
    for (const { id, event_id } of replays) {
      const event = await this.#event(event_id)
      if (event) found.push({ id, event })
      else this.#done.add(id)
    }
    // Only what lies below every replay that is still to be sent is done with.
    const floorNow = fresh[OVERLAP]?.id
    if (floorNow && (!replays[0] || replays[0].id > floorNow)) this.#floors.set(endpoint, floorNow)
    return found
  }

  /** Null for an event that is not kept any more. */
  async #event(id: string): Promise<LedgerEvent | null> {
    try {
      return await this.#api.call<LedgerEvent>('GET', `/events/${id}`)
    } catch (error) {
      if (explain(error).exit === 'not_found') return null
      throw error
    }
  }
}
