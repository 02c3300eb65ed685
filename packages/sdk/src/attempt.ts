import type { Config } from './config.ts'
import type { SentCall } from './curl.ts'
import { ConnectionError, type TimbreError, TimeoutError } from './errors.ts'
import type { Watch } from './file-answer.ts'
import type { CallOptions } from './shapes.ts'
import { abortedBy, LONGEST_TIMER_MS } from './sleep.ts'

const TIMED_OUT = Symbol('timed out')
const expire = (limit: AbortController) => limit.abort(TIMED_OUT)

/** Watches over one attempt of a call: ends it when its time is over, or when the caller ends it. */
export class Attempt implements Watch {
  readonly #config: Config
  readonly #call: SentCall
  readonly #options: CallOptions
  readonly #timeout: number
  readonly #limit = new AbortController()
  // Made only for a caller who gives a signal: every call pays for what is made here.
  readonly #stop: (() => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(config: Config, call: SentCall, options: CallOptions) {
    this.#config = config
    this.#call = call
    this.#options = options
    this.#timeout = options.timeout ?? config.timeout
    this.#start()
    if (options.signal === undefined) return
    this.#stop = () => this.#limit.abort()
    options.signal.addEventListener('abort', this.#stop, { once: true })
  }

  /** For `fetch`. */
  get signal(): AbortSignal {
    return this.#limit.signal
  }

  #start(): void {
    if (this.#timeout <= LONGEST_TIMER_MS) this.#timer = setTimeout(expire, this.#timeout, this.#limit)
  }

  /** Each sign of life starts the time anew: a long file is no reason to end, one that stalls is. */
  alive(): void {
    clearTimeout(this.#timer)
    this.#start()
  }

  over(): void {
    clearTimeout(this.#timer)
    if (this.#stop) this.#options.signal?.removeEventListener('abort', this.#stop)
  }

  errorOf(cause: unknown): TimbreError {
    const { signal } = this.#options
    if (signal?.aborted) return abortedBy(signal, this.#call)
    const timeout = this.#limit.signal.reason === TIMED_OUT ? this.#timeout : undefined
    return unanswered(this.#config, this.#call, cause, timeout)
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
function unanswered({ origin }: Config, call: SentCall, cause: unknown, timeout: number | undefined): ConnectionError {
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
