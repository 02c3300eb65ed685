import type { Config } from './config.ts'
import type { SentCall } from './curl.ts'
import { ConnectionError, errorOf, type Refusal, strangeAnswer, TimbreError, TimeoutError } from './errors.ts'
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

const seconds = (headers: Headers, name: string): number | undefined => {
  const value = headers.get(name)
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined
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
  if (signal?.aborted) throw abortedBy(signal)
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(TIMED_OUT), timeout)
  const stop = () => limit.abort()
  signal?.addEventListener('abort', stop, { once: true })
  let readOn = false
  try {
    const answer = await exchange(config, call, limit.signal, attempt)
    readOn = answer.body instanceof FileAnswer
    return answer
  } catch (cause) {
    if (cause instanceof TimbreError) throw cause
    if (signal?.aborted) throw abortedBy(signal)
    throw unanswered(config, call, cause, limit.signal.reason === TIMED_OUT ? timeout : undefined)
  } finally {
    clearTimeout(timer)
    // The caller's signal goes on being heard while a file is read.
    if (!readOn) signal?.removeEventListener('abort', stop)
  }
}

async function exchange(config: Config, call: Call, signal: AbortSignal, attempt: number): Promise<Answer> {
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
  config.onAnswer?.({
    method,
    url,
    status,
    requestId,
    attempt,
    replayed: response.headers.get('svc-idempotent-replay') === 'true',
    headers: response.headers,
  })
  if (response.ok && call.answers !== 'json' && (call.answers === 'file' || !isJson(response))) {
    return { body: status === 204 ? undefined : new FileAnswer(response), headers: response.headers }
  }
  const text = await response.text()
  if (response.ok && text === '') return { body: undefined, headers: response.headers }
  const parsed = parse(text)
  if (response.ok && parsed !== undefined) return { body: parsed, headers: response.headers }
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
