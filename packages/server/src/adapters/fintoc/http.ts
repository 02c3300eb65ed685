import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { BankFailure, type BankReason } from '../../ports/bank.ts'

export interface FintocSettings {
  readonly url: string
  readonly secret_key: string
  readonly public_key: string
  readonly webhook_secret: string | null
  /** Sent as Fintoc-Version where it is set: whether the provider asks for one depends on the organisation. */
  readonly version: string | null
}

/** How long things take. Tests do not sleep. */
export interface FintocTimes {
  readonly wait?: (ms: number) => Promise<unknown>
  readonly chance?: () => number
  readonly answer_ms?: number
}

/** The provider understood the question and said no. */
export class FintocRefusal extends BankFailure {
  readonly status: number
  readonly code: string
  constructor(reason: BankReason, status: number, code: string) {
    super(reason, `Fintoc answered ${status} (${code})`)
    this.status = status
    this.code = code
  }
}

interface FintocQuestion {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** Somebody waits at the other end: two tries, not six. */
  readonly hurried?: boolean
  /** A code that would otherwise be tried again, and that is an answer here. */
  readonly final_code?: string
}

interface FintocAnswer {
  readonly json: unknown
  /** The `Link` header (RFC 8288), where pages are. */
  readonly link: string | null
}

interface Raw {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
}

// What the provider itself advises; six tries in all.
const WAITS_SECONDS = [1, 2, 4, 8, 16]
const HURRIED_SECONDS = [1]
const RETRY_AFTER_MAX_SECONDS = 60
const CONNECT_MS = 5_000
const ANSWER_MS = 20_000
const HURRIED_ANSWER_MS = 10_000
/** 300 movements take about a third of a MiB. */
const BODY_BYTES = 4 * 1024 * 1024

function only(header: string | string[] | undefined): string | null {
  return Array.isArray(header) ? header.join(', ') : (header ?? null)
}

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_BYTES) throw new BankFailure('unreadable', 'Fintoc answered with more than 4 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    throw new BankFailure('unreadable', 'Fintoc answered with something else than JSON')
  }
}

/** `{error: {type, code}}`. Only a word is kept of it: its message may quote what was sent. */
function refusalOf({ status, text }: Raw): FintocRefusal {
  let error: { type?: unknown; code?: unknown } = {}
  try {
    error = (JSON.parse(text) as { error?: object }).error ?? {}
  } catch {
    // A proxy in between answers in HTML: the status says enough.
  }
  const word = (value: unknown) => (typeof value === 'string' && /^[a-z_]{1,60}$/.test(value) ? value : 'unknown')
  const reason = word(error.type) === 'link_error' ? 'rejected' : status === 404 ? 'gone' : 'refused'
  return new FintocRefusal(reason, status, word(error.code))
}

/** Speaks to the provider: raw key, JSON, deadlines, and the backoff it asks for. Nothing here tells what was sent. */
export class FintocHttp {
  readonly #settings: FintocSettings
  readonly #times: Required<Pick<FintocTimes, 'wait' | 'chance'>> & Pick<FintocTimes, 'answer_ms'>
  readonly #agent = new Agent({ connect: { timeout: CONNECT_MS } })

  constructor(settings: FintocSettings, times: FintocTimes) {
    this.#settings = settings
    this.#times = { wait: sleep, chance: Math.random, ...times }
  }

  async ask(question: FintocQuestion): Promise<FintocAnswer> {
    const waits = question.hurried ? HURRIED_SECONDS : WAITS_SECONDS
    for (let tried = 0; ; tried++) {
      const raw = await this.#once(question).catch((error: unknown) => {
        if (error instanceof BankFailure) throw error
        return null
      })
      if (raw && raw.status < 300) return { json: parsed(raw.text), link: only(raw.headers.link) }
      const again = raw === null || raw.status === 429 || raw.status >= 500
      const refusal = raw && raw.status < 500 ? refusalOf(raw) : null
      if (refusal && (!again || refusal.code === question.final_code)) throw refusal
      const wait = waits[tried]
      if (wait === undefined)
        throw new BankFailure('unreachable', `Fintoc did not answer (${raw?.status ?? 'no answer'})`)
      await this.#times.wait(this.#pause(wait, raw))
    }
  }

  #pause(seconds: number, raw: Raw | null): number {
    const asked = Number(only(raw?.headers['retry-after']) ?? 0)
    const floor = asked > 0 ? Math.min(asked, RETRY_AFTER_MAX_SECONDS) : 0
    return Math.max(seconds, floor) * 1000 + Math.floor(this.#times.chance() * 1000)
  }

  async #once({ method, path, query, body, hurried }: FintocQuestion): Promise<Raw> {
    const { url, secret_key, version } = this.#settings
    const target = new URL(path, url)
    for (const [name, value] of Object.entries(query ?? {})) target.searchParams.set(name, value)
    const answer = await this.#agent.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method,
      headers: {
        authorization: secret_key,
        accept: 'application/json',
        ...(version !== null && { 'fintoc-version': version }),
        ...(body && { 'content-type': 'application/json' }),
        // A new one for each try: the provider answers a repeated key with the failure it answered first.
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(this.#times.answer_ms ?? (hurried ? HURRIED_ANSWER_MS : ANSWER_MS)),
    })
    return { status: answer.statusCode, headers: answer.headers, text: await readText(answer.body) }
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }
}
