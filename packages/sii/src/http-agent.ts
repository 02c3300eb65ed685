import { constants } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import { type HttpAnswer, type HttpOptions, type HttpRequest, NoAnswer } from './http.ts'
import type { Identity } from './identity.ts'
import type { CallLimits } from './limits.ts'
import type { Headers } from './redact.ts'

/** Connections that one process keeps open to one origin; a simulator is one origin for every service. */
const CONNECTIONS = 32

/** TLS is verified, always: there is no option, and the environment variable that turns it off is overruled. */
export function newAgent(options: HttpOptions, client?: Identity['tls']): Agent {
  // Made once for an agent: connections come and go.
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    ...(options.legacy_renegotiation ? { secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT } : {}),
    ...(client === undefined ? {} : { cert: client.cert, key: pemOf(client.key) }),
  })
  return new Agent({
    connections: CONNECTIONS,
    // Kept below, by call.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: options.connect_ms,
      rejectUnauthorized: true,
      secureContext,
    },
  })
}

const pemOf = (key: Identity['tls']['key']): string =>
  typeof key === 'string' ? key : key.export({ type: 'pkcs8', format: 'pem' }).toString()

export function exchange(agent: Agent, request: HttpRequest, limits: CallLimits): Promise<HttpAnswer> {
  const { pathname, origin } = new URL(request.base)
  const prefix = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  return new Promise((resolve, reject) => {
    const reading = new Reading(limits, resolve, reject)
    agent.dispatch(
      {
        origin,
        path: `${prefix}${request.path}`,
        method: request.method,
        headers: { ...request.headers },
        body: request.body,
      },
      reading,
    )
  })
}

/** Reads one answer within its limits, and knows whether the request had begun to leave. */
class Reading implements Dispatcher.DispatchHandler {
  readonly #limits: CallLimits
  readonly #resolve: (answer: HttpAnswer) => void
  readonly #reject: (failure: NoAnswer) => void
  readonly #total: NodeJS.Timeout
  #waiting: NodeJS.Timeout | undefined
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: Headers = {}
  #chunks: Buffer[] = []
  #length = 0
  #ended = false

  constructor(limits: CallLimits, resolve: (answer: HttpAnswer) => void, reject: (failure: NoAnswer) => void) {
    this.#limits = limits
    this.#resolve = resolve
    this.#reject = reject
    this.#total = setTimeout(() => this.#fail('total_time_limit'), limits.total_ms)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It waited for a connection longer than its caller did: it must not leave now.
    if (this.#ended) {
      controller.abort(new Error('abandoned'))
      return
    }
    this.#controller = controller
    this.#wait('headers_time_limit', this.#limits.headers_ms)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // An interim answer (100, 103): the real one follows.
    if (status < 200 || this.#ended) return
    this.#status = status
    this.#headers = headers
    this.#wait('body_time_limit', this.#limits.idle_ms)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length
    if (this.#length > this.#limits.max_bytes) {
      this.#fail('answer_too_large')
    } else if (!this.#ended) {
      this.#chunks.push(Buffer.from(chunk))
      this.#wait('body_time_limit', this.#limits.idle_ms)
    }
  }

  onResponseEnd(): void {
    if (this.#end()) {
      this.#resolve({ status: this.#status, headers: this.#headers, bytes: Buffer.concat(this.#chunks, this.#length) })
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, failure: Error): void {
    // undici starts a request only once it has a connection.
    if (this.#end()) this.#reject(new NoAnswer(codeOf(failure), this.#controller !== undefined))
  }

  #wait(code: string, ms: number): void {
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(() => this.#fail(code), ms)
  }

  #fail(code: string): void {
    if (!this.#end()) return
    this.#reject(new NoAnswer(code, this.#controller !== undefined))
    this.#controller?.abort(new Error(code))
  }

  #end(): boolean {
    if (this.#ended) return false
    this.#ended = true
    clearTimeout(this.#waiting)
    clearTimeout(this.#total)
    return true
  }
}

/** Only its code: the text of a network error may quote what was sent. */
function codeOf(failure: Error): string {
  const { code } = failure as { code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code) ? code : 'network_error'
}
