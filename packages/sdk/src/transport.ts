import { Attempt } from './attempt.ts'
import type { Config } from './config.ts'
import type { SentCall } from './curl.ts'
import { CHECK_ADDRESS, errorOf, type Refusal, strangeAnswer, TimbreError, UnexpectedAnswerError } from './errors.ts'
import { FileAnswer } from './file-answer.ts'
import { waitBefore } from './retry.ts'
import type { CallOptions } from './shapes.ts'
import { abortedBy, sleep } from './sleep.ts'

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

/** Sends a call until it is answered, refused for good, or has used its attempts up. */
export async function send(config: Config, call: Call, options: CallOptions): Promise<Answer> {
  const { signal } = options
  for (let attempt = 0; ; attempt++) {
    if (signal?.aborted) throw abortedBy(signal, call)
    const watch = new Attempt(config, call, options)
    try {
      return await exchange(config, call, watch, attempt + 1)
    } catch (cause) {
      watch.over()
      const error = cause instanceof TimbreError ? cause : watch.errorOf(cause)
      const rule = {
        maxRetries: options.maxRetries ?? config.maxRetries,
        longestWait: config.longestWait,
        repeatable: call.repeatable,
      }
      const wait = waitBefore(error, attempt, rule)
      if (wait === null) throw error
      await sleep(wait, signal)
    }
  }
}

/** Tells the hook of the caller. What it throws is its own matter: the call was answered. */
function tell(onAnswer: NonNullable<Config['onAnswer']>, call: Call, response: Response, attempt: number): void {
  try {
    const told: unknown = onAnswer({
      method: call.method,
      url: call.url,
      status: response.status,
      requestId: requestIdOf(response),
      attempt,
      replayed: response.headers.get('svc-idempotent-replay') === 'true',
      headers: response.headers,
    })
    if (told instanceof Promise) told.catch(() => undefined)
  } catch {
    return
  }
}

const requestIdOf = ({ headers }: Response) => headers.get('svc-request-id') ?? undefined

async function exchange(config: Config, call: Call, watch: Attempt, attempt: number): Promise<Answer> {
  const response = await config.fetch(call.url, {
    method: call.method,
    headers: call.headers,
    body: call.body ?? null,
    // A redirect would turn a POST into a GET, and could carry the key elsewhere.
    redirect: 'manual',
    signal: watch.signal,
  })
  const { status, ok, headers } = response
  if (config.onAnswer) tell(config.onAnswer, call, response, attempt)
  // No file of ours is a page: one that comes in its place is that of a proxy, or of a log-in.
  const is_file = call.answers === 'file' || (call.answers === 'either' && !isJson(response))
  // A file goes on being watched until it is read.
  if (ok && is_file && status !== 204 && !isPage(response)) return { body: new FileAnswer(response, watch), headers }
  const text = await boundedText(response, call)
  watch.over()
  if (status === 204) return { body: undefined, headers }
  const parsed = parse(text)
  if (ok && isObject(parsed)) return { body: parsed, headers }
  const refusal: Refusal = {
    status,
    contentType: headers.get('content-type') ?? '',
    requestId: requestIdOf(response),
    retryAfter: seconds(headers, 'retry-after'),
    location: headers.get('location'),
    call,
  }
  throw ok ? strangeAnswer(refusal) : errorOf(parsed, refusal)
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
