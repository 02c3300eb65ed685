import { isUtf8 } from 'node:buffer'
import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { WEBHOOKS } from '../../catalog/limits.ts'
import type { SendResult, WebhookRequest } from '../../ports/webhook-sender.ts'
import { AddressNotAllowed, DnsLookupFailed, failureOf } from './delivery-failure.ts'
import { isLinkLocal, isPrivateAddress, isThisMachine, literalAddress, portOf } from './private-address.ts'

/** Every address a name stands for. */
type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export interface WebhookSenderOptions {
  /** True on a developer's own machine, where receivers live beside the service. */
  readonly allow_private: boolean
  /**
   * Ports of this machine behind which our own processes listen: the service, its metrics, database and mail, the simulator.
   * Whoever can reach them from here passes for the operator, so that nothing is sent there though private addresses are allowed.
   */
  readonly own_ports?: ReadonlySet<number>
  readonly resolve?: Resolve
  /** Makes what opens connections; a test that looks at whom it would dial gives its own. */
  readonly buildConnector?: typeof buildConnector
  readonly connect_ms?: number
  readonly answer_ms?: number
}

/**
 * Asks the name servers directly. The lookup of the operating system holds one of four threads that the whole process
 * shares, so four names whose servers never answer would stop the deliveries of everyone.
 */
function directResolve(): Resolve {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ]
  }
}

/** As the machine itself would, with its hosts file. */
const localResolve: Resolve = (hostname) => lookup(hostname, { all: true })

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/**
 * Opens connections to public addresses only. A name is resolved once and the connection goes to one of the very
 * addresses that were checked, so a name server that changes its mind in between changes nothing.
 */
function guardedConnector(options: WebhookSenderOptions): buildConnector.connector {
  const { allow_private } = options
  const resolve = options.resolve ?? (allow_private ? localResolve : directResolve())
  const allowed = (address: string, own: boolean) =>
    (allow_private ? !isLinkLocal(address) : !isPrivateAddress(address)) && !(own && isThisMachine(address))
  const resolveAllowed = async (hostname: string, own: boolean): Promise<LookupAddress[]> => {
    const found = await resolve(hostname).catch((error: unknown) => {
      throw new DnsLookupFailed(error)
    })
    const usable = found.filter(({ address }) => allowed(address, own))
    if (usable.length === 0) throw found.length > 0 ? new AddressNotAllowed() : new DnsLookupFailed(null)
    return usable
  }
  // A lookup is not told the port that the connection is for.
  const connectorTo = (own: boolean) =>
    (options.buildConnector ?? buildConnector)({
      timeout: options.connect_ms ?? WEBHOOKS.connect_ms,
      lookup(hostname: string, { all }: LookupOptions, done: LookupCallback) {
        resolveAllowed(hostname, own).then(
          (addresses) => (all ? done(null, addresses) : done(null, addresses[0]?.address ?? '', addresses[0]?.family)),
          (error: Error) => done(error, []),
        )
      },
    })
  const [toOthers, toOwnPort] = [connectorTo(false), connectorTo(true)]
  return (target, done) => {
    const own = options.own_ports?.has(portOf(target)) ?? false
    // An address is not looked up, so it never passes the check above.
    const literal = literalAddress(target.hostname)
    if (literal !== null && !allowed(literal, own)) done(new AddressNotAllowed(), null)
    else (own ? toOwnPort : toOthers)(target, done)
  }
}

/** What is read of an answer at most. A longer one is cut off, and its connection with it. */
const READ_BYTES = 64 * 1024
/** Once the status is known, what is left of the body is a courtesy. */
const BODY_MS = 2_000

/** The beginning of an answer where it is text; bytes that are not would only confuse whoever reads the delivery. */
function excerptOf(chunks: readonly Buffer[]): string | null {
  const [first] = chunks
  if (!first) return null
  const start = chunks.length === 1 ? first : Buffer.concat(chunks).subarray(0, WEBHOOKS.excerpt_bytes)
  // The cut may have gone through a character: up to three bytes of one are given away.
  for (let end = start.length; end > start.length - 4; end--) {
    const whole = start.subarray(0, Math.max(end, 0))
    if (isUtf8(whole)) return whole.length === 0 || whole.includes(0) ? null : whole.toString('utf8')
  }
  return null
}

/** One exchange, from the request to the result. It holds at most a KiB of the answer. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #started = performance.now()
  readonly #done: (result: SendResult) => void
  #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | null = null
  #over = false
  #status: number | null = null
  #retry_after: string | null = null
  #chunks: Buffer[] = []
  #read = 0

  constructor(answer_ms: number, done: (result: SendResult) => void) {
    this.#done = done
    this.#timer = setTimeout(() => this.#end('response_timeout'), answer_ms)
  }

  #end(failure: SendResult['failure'], cut = true): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    if (cut) this.#controller?.abort(new Error('cut off'))
    this.#done({
      status: this.#status,
      failure: this.#status === null ? failure : null,
      retry_after: this.#retry_after,
      excerpt: excerptOf(this.#chunks),
      duration_ms: Math.round(performance.now() - this.#started),
    })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over) controller.abort(new Error('cut off'))
  }

  onResponseStart(_controller: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return
    this.#status = status
    const retry_after = headers['retry-after'] ?? null
    this.#retry_after = Array.isArray(retry_after) ? (retry_after[0] ?? null) : retry_after
    // Of a short answer that says how long it is the rest is there at once, or as good as.
    if (Number(headers['content-length']) <= READ_BYTES) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end(null), BODY_MS)
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#read < WEBHOOKS.excerpt_bytes) this.#chunks.push(Buffer.from(chunk.subarray(0, WEBHOOKS.excerpt_bytes)))
    this.#read += chunk.length
    if (this.#read > READ_BYTES) this.#end(null)
  }

  onResponseEnd(): void {
    this.#end(null, false)
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#end(failureOf(error), false)
  }
}

const MAX_CACHED = 1_000

/** Parses a URL once for the many times something is sent there. */
function urlParser(): (url: string) => { origin: string; path: string } {
  const cache = new Map<string, { origin: string; path: string }>()
  return (url) => {
    const cached = cache.get(url)
    if (cached) return cached
    if (cache.size >= MAX_CACHED) cache.clear()
    const { origin, pathname, search } = new URL(url)
    const address = { origin, path: pathname + search }
    cache.set(url, address)
    return address
  }
}

export interface HttpClient {
  post(request: WebhookRequest): Promise<SendResult>
  close(): Promise<void>
}

/** Sends over HTTP/1.1 on connections that are kept while they are busy. The lanes of the queue bound their number. */
export function openHttpClient(options: WebhookSenderOptions): HttpClient {
  const answer_ms = options.answer_ms ?? WEBHOOKS.answer_ms
  const parseUrl = urlParser()
  // The exchange keeps the time itself: one timer for the whole.
  const agent = new Agent({ connect: guardedConnector(options), headersTimeout: 0, bodyTimeout: 0, pipelining: 1 })
  return {
    post: ({ url, headers, body }) =>
      new Promise((resolve) => {
        const { origin, path } = parseUrl(url)
        agent.dispatch({ origin, path, method: 'POST', headers, body }, new Exchange(answer_ms, resolve))
      }),
    close: () => agent.destroy(),
  }
}
