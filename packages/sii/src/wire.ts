import { type BodyKind, decodeBody, kindOf } from './body.ts'
import { AnswerFault, type FaultFacts, SiiFailure, type SiiFailureKind } from './failure.ts'
import type { Ambiente, SiiHosts, SiiService } from './hosts.ts'
import { type Http, type HttpAnswer, NoAnswer, openHttp } from './http.ts'
import type { Identity } from './identity.ts'
import { type CallLimits, DEFAULT_LIMITS } from './limits.ts'
import { type Headers, redactBody, redactHeaders, redactText } from './redact.ts'
import { storable } from './storable.ts'

/** One question, before it is bytes. */
export interface SiiCall {
  readonly service: SiiService
  readonly ambiente: Ambiente
  /** The SII's own name for it, such as `getEstUp` or `of_solicita_folios`. */
  readonly operation: string
  readonly method: 'GET' | 'POST'
  /** With its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text goes in UTF-8; what must go in another alphabet comes as bytes. */
  readonly body?: string | Uint8Array
  /** Who shows its certificate in the TLS handshake. */
  readonly client_certificate?: Identity
  /** Tokens, passwords and values of cookies that travel: blanked in the trace and in what the SII echoes. */
  readonly secrets?: readonly string[]
  readonly limits?: Partial<Omit<CallLimits, 'connect_ms'>>
}

/** What came back. Redirects are answers like any other: whoever reads decides whether to follow one, and where to. */
export interface SiiAnswer {
  /** Never evidence by itself: the SII answers errors with 200 and answers with 500. */
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
  readonly kind: BodyKind
}

/** What a reader makes of an answer: its value, and the state that the SII named in it, for the record. */
export interface Read<T> {
  readonly value: T
  readonly estado?: string | null
  /** What was not as we know it, in an answer that is of use all the same: it is recorded as one that was not understood. */
  readonly drift?: string
}

export interface TracedMessage {
  readonly headers: Readonly<Record<string, string>>
  /** At most two kilobytes, secrets blanked. */
  readonly body: string
}

/** One exchange as the operator may see it. */
export interface CallTrace {
  readonly method: string
  readonly url: string
  readonly request: TracedMessage
  /** Null when no whole answer came. */
  readonly answer: (TracedMessage & { readonly status: number }) | null
}

/** One call, whether it went well or not. */
export interface CallFact {
  readonly service: SiiService
  readonly operation: string
  readonly ambiente: Ambiente
  readonly started_at: Date
  readonly ms: number
  readonly outcome: 'ok' | SiiFailureKind
  readonly estado: string | null
  readonly bytes_in: number
  readonly bytes_out: number
  /** Redacted when it is read, which of most calls nobody does. To keep a fact, copy it: `{ ...fact }` holds no secret. */
  readonly trace: CallTrace
}

/** The one way out of this package. */
export interface Wire {
  /** Asks once. `read` turns the answer into a value, or throws an AnswerFault; what is thrown here is a SiiFailure. */
  call<T>(call: SiiCall, read: (answer: SiiAnswer) => Read<T>): Promise<T>
  readonly hosts: Readonly<Record<Ambiente, SiiHosts>>
  readonly now: () => Date
  /** Waits; a test's does not. */
  readonly sleep: (ms: number) => Promise<void>
  close(): Promise<void>
}

export interface WireOptions {
  /** `SII_HOSTS`, or `simulatedHosts(base)`. */
  readonly hosts: Readonly<Record<Ambiente, SiiHosts>>
  /** Told of every call. Must not throw; what it throws is dropped. */
  readonly onCall: (fact: CallFact) => void
  /** Given every answer whole, with the secrets in it: for whoever compares shapes, and for no record. */
  readonly onAnswer?: ((call: SiiCall, answer: SiiAnswer) => void) | undefined
  readonly now?: (() => Date) | undefined
  readonly sleep?: ((ms: number) => Promise<void>) | undefined
  /** For every call, over what an operation has of its own: uploads, for one, may take longer. */
  readonly limits?: Partial<CallLimits> | undefined
  /** PEM of the authority to trust in place of the well-known ones: a simulator's. Verification cannot be turned off. */
  readonly ca?: string | undefined
  readonly legacy_renegotiation?: boolean | undefined
}

export function openWire(options: WireOptions): Wire {
  requireTls(options.hosts)
  const { ca, legacy_renegotiation, onCall, onAnswer, limits } = options
  const http = openHttp({ ca, legacy_renegotiation, connect_ms: limits?.connect_ms ?? DEFAULT_LIMITS.connect_ms })
  const now = options.now ?? (() => new Date())
  return {
    hosts: options.hosts,
    now,
    sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    call: async (call, read) => {
      const started_at = now()
      const started = performance.now()
      const attempt = await ask(
        http,
        options.hosts,
        call,
        { ...DEFAULT_LIMITS, ...call.limits, ...limits },
        (answer) => {
          onAnswer?.(call, answer)
          return read(answer)
        },
      )
      report(onCall, call, attempt, started_at, performance.now() - started)
      if (attempt.failure !== null) throw attempt.failure
      return attempt.read.value
    },
    close: () => http.close(),
  }
}

/** A token in clear text on the road to the real SII would be anybody's. A simulator may speak plain HTTP. */
function requireTls(hosts: Readonly<Record<Ambiente, SiiHosts>>): void {
  for (const origin of Object.values(hosts).flatMap((one) => Object.values(one))) {
    const { protocol, hostname } = new URL(origin)
    if (protocol !== 'https:' && (protocol !== 'http:' || /(^|\.)sii\.cl$/i.test(hostname))) {
      throw new TypeError(`${origin} cannot be a host of the SII: it must be reached over TLS`)
    }
  }
}

type Attempt<T> = {
  readonly base: string
  readonly body: Uint8Array | null
  readonly answer: HttpAnswer | null
} & ({ readonly failure: null; readonly read: Read<T> } | { readonly failure: SiiFailure })

async function ask<T>(
  http: Http,
  hosts: Readonly<Record<Ambiente, SiiHosts>>,
  call: SiiCall,
  limits: CallLimits,
  read: (answer: SiiAnswer) => Read<T>,
): Promise<Attempt<T>> {
  const base = hosts[call.ambiente][call.service]
  const body = typeof call.body === 'string' ? Buffer.from(call.body, 'utf8') : (call.body ?? null)
  const { method, path, headers = {}, client_certificate = null } = call
  let answer: HttpAnswer | null = null
  try {
    answer = await http.exchange({ base, method, path, headers, body, client_certificate }, limits)
    const text = decodeBody(answer.bytes)
    return { base, body, answer, failure: null, read: read({ ...answer, text, kind: kindOf(text) }) }
  } catch (thrown) {
    return {
      base,
      body,
      answer,
      failure: new SiiFailure(call, redactFacts(factsOf(thrown, answer), call.secrets ?? [])),
    }
  }
}

function factsOf(thrown: unknown, answer: HttpAnswer | null): FaultFacts {
  if (thrown instanceof AnswerFault) return weathered(thrown.facts, answer?.status ?? 0)
  if (thrown instanceof NoAnswer) {
    return { kind: 'unreachable', retry: 'later', estado: thrown.code, sent: thrown.sent }
  }
  // A reader that stumbles has met an answer that nobody foresaw: the alarm must name it all the same.
  const reason = thrown instanceof Error ? thrown.name : typeof thrown
  return { kind: 'not_understood', retry: 'never', drift: `readable answer (${reason})`, sent: true }
}

/**
 * What a server that is in trouble, or asked too fast, says in place of an answer is no sign that its protocol changed,
 * whatever form it comes in. A status never spoils an answer that was read; it only explains one that was not.
 */
function weathered(facts: FaultFacts, status: number): FaultFacts {
  if (facts.kind !== 'not_understood' || (status < 500 && status !== 429)) return facts
  const retry = status === 429 ? 'minutes' : 'later'
  return { ...facts, kind: 'unreachable', retry, estado: `HTTP ${status}`, drift: undefined }
}

function redactFacts(facts: FaultFacts, secrets: readonly string[]): FaultFacts {
  const clean = (text: string | null | undefined, most: number) =>
    text ? storable(redactText(text, secrets).slice(0, most)) : null
  return { ...facts, estado: clean(facts.estado, 60), glosa: clean(facts.glosa, 1_000) }
}

function report<T>(
  onCall: WireOptions['onCall'],
  call: SiiCall,
  { base, body, answer, ...attempt }: Attempt<T>,
  started_at: Date,
  ms: number,
): void {
  const { service, operation, ambiente } = call
  try {
    onCall({
      service,
      operation,
      ambiente,
      started_at,
      ms,
      outcome: attempt.failure === null ? outcomeOf(attempt.read) : attempt.failure.kind,
      estado: attempt.failure === null ? (attempt.read.estado ?? null) : attempt.failure.estado,
      bytes_in: answer?.bytes.length ?? 0,
      bytes_out: body?.length ?? 0,
      get trace() {
        return traceOf(call, base, body, answer)
      },
    })
  } catch {
    // Whoever keeps the record cannot make a call fail.
  }
}

const outcomeOf = ({ drift }: Read<unknown>) => (drift === undefined ? 'ok' : 'not_understood')

function traceOf(call: SiiCall, base: string, body: Uint8Array | null, answer: HttpAnswer | null): CallTrace {
  const { method, path, secrets = [], headers = {} } = call
  return {
    method,
    url: redactText(`${base}${path}`, secrets),
    request: { headers: redactHeaders(headers, secrets), body: redactBody(body ?? '', secrets) },
    answer: answer && {
      status: answer.status,
      headers: redactHeaders(answer.headers, secrets),
      body: redactBody(answer.bytes, secrets),
    },
  }
}
