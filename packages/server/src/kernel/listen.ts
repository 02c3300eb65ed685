import type { Database } from './db.ts'
import { describeError, type Log } from './log.ts'

/** Messages between processes, carried by PostgreSQL's LISTEN and NOTIFY. */
export interface Listener {
  /** Whether messages arrive now. A cache that rests on them must not be trusted while this is false. */
  readonly connected: boolean
  /** Asks on the very connection that messages arrive on; rejects while there is none. */
  query(text: string, values: readonly unknown[]): Promise<readonly unknown[]>
  on(channel: string, handle: (payload: string) => void): void
  /** Called whenever the connection was lost: messages sent meanwhile are missed. */
  onLost(act: () => void): void
  close(): Promise<void>
}

type Connection = Awaited<ReturnType<Database['connect']>>

const RECONNECT_MS = 500
/** A connection can die silently (a firewall that drops it): it is pinged, and one that does not answer counts as lost. */
const PING_MS = 2_000

/** Whether a connection still answers, within a bounded time. */
async function answers(question: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, PING_MS, false)
  })
  const answer = question.then(
    () => true,
    () => false,
  )
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer))
}

export async function openListener(db: Database, channels: readonly string[], log: Log): Promise<Listener> {
  const subscribers = new Map<string, ((payload: string) => void)[]>()
  const lossHandlers: (() => void)[] = []
  let connection: Connection | null = null
  // One question at a time. A question that is never answered holds up the others until its connection is given up.
  let asked: Promise<unknown> = Promise.resolve()
  let closed = false
  // The same few questions twice a second, for as long as the process lives: PostgreSQL plans each once.
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    const name = names.get(text) ?? `line ${names.size}`
    names.set(text, name)
    return name
  }

  const lost = (client: Connection, error?: unknown) => {
    // An old connection that ends late says nothing about the one that replaced it.
    if (connection !== client || closed) return
    connection = null
    log.warn({ ...(error !== undefined && { error: describeError(error) }) }, 'lost the line between processes')
    for (const act of lossHandlers) act()
    retry()
  }
  const retry = () => {
    if (!closed) setTimeout(() => void open().catch(retry), RECONNECT_MS).unref()
  }
  const open = async () => {
    const client = await db.connect()
    client.on('error', (error) => lost(client, error))
    client.on('end', () => lost(client))
    client.on('notification', ({ channel, payload }) => {
      for (const handle of subscribers.get(channel) ?? []) handle(payload ?? '')
    })
    await client.query(`set application_name = 'timbre listener'`)
    for (const channel of channels) await client.query(`listen ${channel}`)
    connection = client
    asked = Promise.resolve()
    if (closed) await client.end()
  }
  const query = async (text: string, values: readonly unknown[] = []) => {
    const client = connection
    if (client === null) throw new Error('there is no line between processes')
    const answer = asked.then(() => client.query({ name: nameOf(text), text, values: [...values] }))
    asked = answer.catch(() => undefined)
    return (await answer).rows as readonly unknown[]
  }
  const ping = async () => {
    const pinged = connection
    if (pinged === null || (await answers(query('select 1')))) return
    lost(pinged)
    await pinged.end().catch(() => undefined)
  }
  await open()
  const pinging = setInterval(() => void ping(), PING_MS)
  pinging.unref()

  return {
    get connected() {
      return connection !== null
    },
    query,
    on: (channel, handle) => void subscribers.set(channel, [...(subscribers.get(channel) ?? []), handle]),
    onLost: (act) => void lossHandlers.push(act),
    async close() {
      closed = true
      clearInterval(pinging)
      await connection?.end()
    },
  }
}
