import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, readAll } from './client.ts'

const PAUSE_MS = 300

export interface Feed {
  /** The ids of the events it has read, in the order they came. */
  readonly ids: readonly string[]
  /** Ends after the page that is being read. */
  stop(): Promise<void>
}

/** Reads the event ledger forward from its first event, as a customer does who has no webhooks, page behind page. */
export async function followFeed(client: Client, bearer: string): Promise<Feed> {
  const oldest = (await readAll((path) => client.ask({ path, bearer }), '/v1/events')).at(-1)
  const ids: string[] = [oldest.id]
  let stopping = false
  const following = (async () => {
    for (let after: string = oldest.id; !stopping; ) {
      const { body } = await client.ask({ path: `/v1/events?limit=100&after=${after}`, bearer })
      ids.push(...body.data.map(({ id }: { id: string }) => id))
      after = body.next_cursor ?? body.data.at(-1)?.id ?? after
      if (!body.has_more) await sleep(PAUSE_MS)
    }
  })()
  following.catch(() => undefined) // told to whoever stops it
  return {
    ids,
    async stop() {
      stopping = true
      await following
    },
  }
}
