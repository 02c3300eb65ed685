import type { Database } from './db.ts'
import { describeError, type Log } from './log.ts'

/** Messages between processes, carried by PostgreSQL. */
export interface Listener {
  /** Whether messages arrive now. A cache that rests on them must not be trusted while this is false. */
  readonly connected: boolean
  on(channel: string, hear: (payload: string) => void): void
  /** Called whenever the line was lost: whatever was missed meanwhile is unknown. */
  onLost(act: () => void): void
  close(): Promise<void>
}

type Line = Awaited<ReturnType<Database['connect']>>

const RECONNECT_MS = 500
/** A line can die without a word (a firewall that forgets it): it is asked, and one that does not answer is lost. */
const ASK_MS = 2_000

/** Whether the line still answers, within a bounded time. */
async function answers(line: Line): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ASK_MS, false)
  })
  const answer = line.query('select 1').then(
    () => true,
    () => false,
  )
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer))
}

export async function openListener(db: Database, channels: readonly string[], log: Log): Promise<Listener> {
  const hearers = new Map<string, ((payload: string) => void)[]>()
  const losers: (() => void)[] = []
  let line: Line | null = null
  let closed = false

  const lost = (client: Line, error?: unknown) => {
    // An old line that ends late says nothing about the one that took its place.
    if (line !== client || closed) return
    line = null
    log.warn({ ...(error !== undefined && { error: describeError(error) }) }, 'lost the line between processes')
    for (const act of losers) act()
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
      for (const hear of hearers.get(channel) ?? []) hear(payload ?? '')
    })
    for (const channel of channels) await client.query(`listen ${channel}`)
    line = client
    if (closed) await client.end()
  }
  const ask = async () => {
    const asked = line
    if (asked === null || (await answers(asked))) return
    lost(asked)
    await asked.end().catch(() => undefined)
  }
  await open()
  const asking = setInterval(() => void ask(), ASK_MS)
  asking.unref()

  return {
    get connected() {
      return line !== null
    },
    on: (channel, hear) => void hearers.set(channel, [...(hearers.get(channel) ?? []), hear]),
    onLost: (act) => void losers.push(act),
    async close() {
      closed = true
      clearInterval(asking)
      await line?.end()
    },
  }
}
