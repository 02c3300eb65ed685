import type { AnswerFacts, Config } from './config.ts'
import type { SentCall } from './curl.ts'
import {
  CHECK_ADDRESS,
  ConnectionError,
  errorOf,
  type Refusal,
  strangeAnswer,
  TimbreError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts'
import { FileAnswer, type Watch } from './file-answer.ts'
import { waitBefore } from './retry.ts'
import type { CallOptions } from './shapes.ts'
import { abortedBy, LONGEST_TIMER_MS, sleep } from './sleep.ts'

/** A call that is ready to be sent, and how its answer is read. */
export interface Call extends SentCall {
  readonly repeatable: boolean
  /** A file, JSON, or whichever of them comes. */
  readonly answers: 'json' | 'file' | 'either'
}

export interface Answer {
  readonly body: unknown
  readonly headers: Headers
}

/** Seconds from now, as a header gives them: a number, or a date. */
const seconds = (headers: Headers, name: string): number | undefined => {
  const value = headers.get(name)?.trim() ?? ''
  if (/^\d{1,12}(\.\d+)?$/.test(value)) return Math.ceil(Number(value))
  const at = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

/** Seconds to the next useful poll; undefined once there is nothing left to wait for. */
export const pollAfter = (headers: Headers): number | undefined => seconds(headers, 'svc-poll-after')

const TIMED_OUT = Symbol('timed out')

/** Sends a call until it is answered, refused for good, or has used its attempts up. */
export async function send(config: Config, call: Call, options: CallOptions): Promise<Answer> {
  const rule = {
    maxRetries: options.maxRetries ?? config.maxRetries,
    longestWait: config.longestWait,
    repeatable: call.repeatable,
  }
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce(config, call, options, attempt + 1)
    } catch (error) {
      const wait = error instanceof TimbreError ? waitBefore(error, attempt, rule) : null
      if (wait === null) throw error
      await sleep(wait, options.signal)
    }
  }
}

async function sendOnce(
  config: Config,
  call: Call,
  { signal, timeout = config.timeout }: CallOptions,
  attempt: number,
) {
  if (signal?.aborted) throw abortedBy(signal, call)
  const limit = new AbortController()
  const stop = () => limit.abort()
  // Each sign of life starts it anew: a long file is no reason to end, one that stalls is.
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch: Watch = {
    alive() {
      clearTimeout(timer)
      if (timeout <= LONGEST_TIMER_MS) timer = setTimeout(() => limit.abort(TIMED_OUT), timeout)
    },
    over() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    },
    errorOf: (cause) =>
      signal?.aborted
        ? abortedBy(signal, call)
        : unanswered(config, call, cause, limit.signal.reason === TIMED_OUT ? timeout : undefined),
  }
  watch.alive()
  signal?.addEventListener('abort', stop, { once: true })
  let readOn = false
  try {
    const answer = await exchange(config, call, { signal: limit.signal, watch }, attempt)
    readOn = answer.body instanceof FileAnswer
    return answer
  } catch (cause) {
    throw cause instanceof TimbreError ? cause : watch.errorOf(cause)
  } finally {
    // A file goes on being watched until it is read.
    if (!readOn) watch.over()
  }
}

/** Tells the hook of the caller. What it throws is its own matter: the call was answered. */
function tell({ onAnswer }: Config, facts: AnswerFacts): void {
  try {
    const told: unknown = onAnswer?.(facts)
    if (told instanceof Promise) told.catch(() => undefined)
  } catch {
    return
  }
}

async function exchange(
  config: Config,
  call: Call,
  { signal, watch }: { readonly signal: AbortSignal; readonly watch: Watch },
  attempt: number,
): Promise<Answer> {
  const { method, url, headers, body } = call
  const response = await config.fetch(url, {
    method,
    headers,
    // A redirect would turn a POST into a GET, and could carry the key elsewhere.
    redirect: 'manual',
    signal,
    ...(body !== undefined && { body }),
  })
  const { status } = response
  const requestId = response.headers.get('svc-request-id') ?? undefined
  tell(config, {
    method,
    url,
    status,
    requestId,
    attempt,
    replayed: response.headers.get('svc-idempotent-replay') === 'true',
    headers: response.headers,
  })
  // No file of ours is a page: one that comes in its place is that of a proxy, or of a log-in.
  const is_file = call.answers === 'file' || (call.answers === 'either' && !isJson(response))
  if (response.ok && is_file && !isPage(response)) {
    return { body: status === 204 ? undefined : new FileAnswer(response, watch), headers: response.headers }
  }
  const text = await boundedText(response, call)
  if (status === 204) return { body: undefined, headers: response.headers }
  const parsed = parse(text)
  if (response.ok && isObject(parsed)) return { body: parsed, headers: response.headers }
  const refusal: Refusal = {
    status,
    contentType: response.headers.get('content-type') ?? '',
    requestId,
    retryAfter: seconds(response.headers, 'retry-after'),
    location: response.headers.get('location'),
    call,
  }
  throw response.ok ? strangeAnswer(refusal) : errorOf(parsed, refusal)
}

/** The longest answer of ours is a few megabytes: what is longer comes from somebody else, and would fill the memory. */
const MOST_BYTES = 64 * 1024 * 1024

async function boundedText(response: Response, call: Call): Promise<string> {
  const { body, headers, status } = response
  // One that says its length is no longer than that, unless it is packed; read at once it costs less.
  const length = headers.has('content-encoding') ? null : headers.get('content-length')
  if (length !== null && Number(length) <= MOST_BYTES) return response.text()
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > MOST_BYTES) {
      await reader?.cancel()
      throw new UnexpectedAnswerError({
        code: 'unexpected_answer',
        message: `HTTP ${status} with more than ${MOST_BYTES} bytes: this is not an answer of Timbre.`,
        hint: CHECK_ADDRESS,
        status,
        call,
      })
    }
    text += decoder.decode(value, { stream: true })
  }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isPage = (response: Response) => /^text\/html\b/.test(response.headers.get('content-type') ?? '')
const isJson = (response: Response) => /\bjson\b/.test(response.headers.get('content-type') ?? '')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
}

/** No answer came. Whether anything was done is not known: the same key finds out. */
function unanswered({ origin }: Config, call: Call, cause: unknown, timeout: number | undefined): ConnectionError {
  const facts = { retriable: true, call, cause: (cause as { cause?: unknown } | null)?.cause ?? cause }
  if (timeout !== undefined) {
    return new TimeoutError({
      ...facts,
      code: 'timed_out',
      message: `${call.method} ${call.url} had no answer within ${timeout / 1000} s.`,
      hint: 'Repeat it with the same idempotency key, or allow more with `timeout`.',
    })
  }
  const { code, message } = (facts.cause ?? {}) as { code?: string; message?: string }
  return new ConnectionError({
    ...facts,
    code: 'connection_failed',
    message: `No answer from ${origin}: ${REASONS[code ?? ''] ?? message ?? code ?? 'the connection failed'}.`,
    hint: 'Check that the service runs and that baseUrl (or TIMBRE_URL) is its address.',
  })
}
