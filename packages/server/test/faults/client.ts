import { setTimeout as sleep } from 'node:timers/promises'

export interface Ask {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly bearer?: string
  readonly empresa?: string
  readonly idempotency_key?: string
  readonly body?: object
}

export interface Told {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carried
  readonly body: any
  /** When the try that was answered set out and came back, in milliseconds of this process. */
  readonly sent_at: number
  readonly answered_at: number
}

/** A caller who does what the specification asks of one: the same request again, with the same key, until it is answered. */
export interface Client {
  /** `door` says which of the addresses is tried first. */
  ask(ask: Ask, door?: number): Promise<Told>
  /** How often it had to ask again, by reason. */
  readonly again: Map<string, number>
  /** Whoever is still asking is told so and stops. */
  close(): void
}

const PATIENCE_MS = 120_000
const ANSWER_MS = 15_000
const FIRST_PAUSE_MS = 100
/** A server that was killed takes seconds to start. */
const LONGEST_PAUSE_MS = 800

function headersOf({ bearer, empresa, idempotency_key, body, path }: Ask): Record<string, string> {
  return {
    ...(bearer && { authorization: `Bearer ${bearer}` }),
    ...(empresa && { 'svc-empresa': empresa }),
    ...(idempotency_key && { 'idempotency-key': idempotency_key }),
    ...(path.startsWith('/dashboard') && { 'svc-mode': 'test' }),
    ...(body && { 'content-type': 'application/json' }),
  }
}

async function tryOnce(url: string, ask: Ask): Promise<Told> {
  const sent_at = performance.now()
  const answer = await fetch(url + ask.path, {
    method: ask.method ?? 'GET',
    headers: headersOf(ask),
    ...(ask.body && { body: JSON.stringify(ask.body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const json = answer.headers.get('content-type')?.startsWith('application/json')
  const body = json ? JSON.parse(bytes.toString('utf8')) : null
  return { status: answer.status, headers: answer.headers, bytes, body, sent_at, answered_at: performance.now() }
}

/** Why to ask again, or null when this is the answer. */
function unanswered({ status, body }: Told): string | null {
  if (status >= 500 || status === 429) return String(status)
  return body?.error?.code === 'idempotency_in_progress' ? 'in progress' : null
}

export function openClient(urls: readonly string[]): Client {
  const again = new Map<string, number>()
  let closed = false
  return {
    again,
    close() {
      closed = true
    },
    async ask(ask, door = 0) {
      const until = performance.now() + PATIENCE_MS
      for (let tries = 0; ; tries++) {
        if (closed) throw new Error(`${ask.path} was not asked any more`)
        const told = await tryOnce(urls[(door + tries) % urls.length] ?? '', ask).catch((error: Error) => error)
        const why = told instanceof Error ? 'no answer' : unanswered(told)
        if (!(told instanceof Error) && why === null) {
          if (told.status >= 400) throw new Error(`${ask.path} was refused: ${told.status} ${told.bytes}`)
          return told
        }
        again.set(why ?? '', (again.get(why ?? '') ?? 0) + 1)
        if (performance.now() > until) throw new Error(`${ask.path} was never answered: ${why} ${String(told)}`)
        const seconds = told instanceof Error ? 0 : Number(told.headers.get('retry-after') ?? 0)
        await sleep(Math.max(Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS), seconds * 1000))
      }
    },
  }
}

/** Every row of a list, page by page. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carried
export async function readAll(ask: (path: string) => Promise<Told>, path: string): Promise<any[]> {
  const rows = []
  const start = `${path}${path.includes('?') ? '&' : '?'}limit=100`
  for (let next: string | null = start; next !== null; ) {
    const { body } = await ask(next)
    rows.push(...body.data)
    next = body.next_cursor === null ? null : `${start}&cursor=${body.next_cursor}`
  }
  return rows
}
