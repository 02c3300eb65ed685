import { curlOf, type SentCall } from './curl.ts'
import type { AccountErrorCode, ErrorCode } from './generated/codes.ts'

/** What goes wrong on this side of the wire. */
export type ClientErrorCode =
  | 'invalid_configuration'
  | 'invalid_argument'
  | 'connection_failed'
  | 'timed_out'
  | 'aborted'
  | 'unexpected_answer'
  | 'wait_ended'
  | 'signature_header_missing'
  | 'signature_header_malformed'
  | 'signature_expired'
  | 'signature_mismatch'
  | 'body_not_raw'
  | 'body_reserialised'
  | 'checkpoint_unknown'
  | 'checkpoint_not_saved'
  | 'checkpoint_unreadable'
  | 'checkpoint_in_use'

export type TimbreErrorCode = ErrorCode | AccountErrorCode | ClientErrorCode

/** One thing that is wrong with an input. */
export interface InputFault {
  /** Dotted path of the field at fault. */
  readonly param: string
  readonly code: TimbreErrorCode
  readonly message: string
}

/** Whatever is known of a failure, as the contract names it where it does. */
export interface ErrorFacts {
  readonly code: TimbreErrorCode
  readonly message: string
  readonly status?: number | undefined
  readonly hint?: string | undefined
  readonly param?: string | undefined
  readonly retriable?: boolean | undefined
  readonly requestId?: string | undefined
  readonly docUrl?: string | undefined
  readonly details?: Record<string, unknown> | undefined
  readonly existingId?: string | undefined
  readonly empresa?: string | undefined
  readonly sii?: Record<string, unknown> | undefined
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
  readonly call?: SentCall | undefined
}

/** Anything that this library throws. Program against `code`; `message` and `hint` are sentences for whoever reads the log. */
export class TimbreError extends Error {
  readonly code: TimbreErrorCode
  /** HTTP status; undefined where no answer came. */
  readonly status: number | undefined
  /** What to do. */
  readonly hint: string | undefined
  /** Dotted path of the field at fault. */
  readonly param: string | undefined
  /** Whether the identical request can work later. */
  readonly retriable: boolean
  readonly requestId: string | undefined
  readonly docUrl: string | undefined
  readonly details: Record<string, unknown> | undefined
  /** On a conflict, the id of what exists. */
  readonly existingId: string | undefined
  /** RUT of the context. */
  readonly empresa: string | undefined
  /** What the SII said, as it said it. */
  readonly sii: Record<string, unknown> | undefined
  /** Seconds after which the same request can work. */
  readonly retryAfter: number | undefined
  /** The key that the call was sent under: the same call under the same key is done once, whatever became of this one. */
  readonly idempotencyKey: string | undefined
  // Private, so that no logger prints the body of a call.
  readonly #call: SentCall | undefined

  constructor({ message, cause, call, ...facts }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = facts.code
    this.status = facts.status
    this.hint = facts.hint
    this.param = facts.param
    this.retriable = facts.retriable ?? false
    this.requestId = facts.requestId
    this.docUrl = facts.docUrl
    this.details = facts.details
    this.existingId = facts.existingId
    this.empresa = facts.empresa
    this.sii = facts.sii
    this.retryAfter = facts.retryAfter
    this.idempotencyKey = call?.headers['Idempotency-Key']
    this.#call = call
  }

  /** Everything wrong with the input, the one of `param` first; empty where no field is at fault. */
  get errors(): readonly InputFault[] {
    const { param, code, message } = this
    const told = this.details?.errors
    return Array.isArray(told) ? told : param === undefined ? [] : [{ param, code, message }]
  }

  /** The call as a line for a terminal, with `$TIMBRE_KEY` in place of the secret; undefined where nothing was sent. */
  get curl(): string | undefined {
    return this.#call && curlOf(this.#call)
  }
}

/** 400 and 402: the input is malformed or incomplete, or a subscription is missing. */
export class InvalidRequestError extends TimbreError {}
/** 401: the key is absent, revoked or malformed. */
export class AuthenticationError extends TimbreError {}
/** 403: the scope, the empresas or the mode of the key. */
export class PermissionError extends TimbreError {}
/** 404: nothing of that id under this key. */
export class NotFoundError extends TimbreError {}
/** 409: it clashes with what is already there. */
export class ConflictError extends TimbreError {}
/** 422: well formed, and against a rule of the law or of the domain. */
export class UnprocessableError extends TimbreError {}
/** 429. */
export class RateLimitError extends TimbreError {}
/** 502: the SII failed. */
export class SiiError extends TimbreError {}
/** 5xx: the service failed; nothing was issued. */
export class ApiError extends TimbreError {}
/** A refusal of /account. `message` is Chilean Spanish, for the person who is there. */
export class AccountError extends TimbreError {}
/** No answer came: nobody listens, the connection broke, or the time ran out. */
export class ConnectionError extends TimbreError {}
/** An attempt, or a wait, took longer than it may. */
export class TimeoutError extends ConnectionError {}
/** The caller's own signal ended it. */
export class AbortedError extends TimbreError {}
/** Something other than Timbre answered: a proxy, a page of log-in, another service. */
export class UnexpectedAnswerError extends TimbreError {}
/** The client was set up, or called, in a way that cannot work. Nothing was sent. */
export class UsageError extends TimbreError {}
/** A webhook that is not to be believed. Answer it 400. */
export class SignatureError extends TimbreError {}
/** The place in the ledger cannot be loaded, saved or found. */
export class CheckpointError extends TimbreError {}

type ErrorClass = new (facts: ErrorFacts) => TimbreError

const BY_TYPE = new Map<unknown, ErrorClass>([
  ['invalid_request_error', InvalidRequestError],
  ['authentication_error', AuthenticationError],
  ['permission_error', PermissionError],
  ['not_found_error', NotFoundError],
  ['conflict_error', ConflictError],
  ['unprocessable_error', UnprocessableError],
  ['rate_limit_error', RateLimitError],
  ['sii_error', SiiError],
  ['api_error', ApiError],
])

const secondsIn = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

interface Envelope {
  readonly error?: Record<string, never> & { readonly type?: string }
  readonly message?: string
  readonly data?: {
    readonly request_id?: string
    readonly param?: string
    readonly retry_after_seconds?: number
  } | null
  readonly errors?: readonly string[]
}

/** What is known of a refusal beside its body. */
export interface Refusal {
  readonly status: number
  readonly contentType: string
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  readonly location: string | null
  readonly call: SentCall
}

/** Headers that an answer says are missing although they were sent. */
const MISSED: Readonly<Record<string, string>> = {
  empresa_header_required: 'Svc-Empresa',
  idempotency_key_required: 'Idempotency-Key',
}

function hintOf(code: string, hint: string | undefined, { headers }: SentCall): string | undefined {
  const missed = MISSED[code]
  if (missed === undefined || !(missed in headers)) return hint
  return `${missed} was sent and did not arrive: a proxy on the way removes it. Let it pass headers that it does not know.`
}

/** An answer that is no success, as the error that says so. */
export function errorOf(body: unknown, refusal: Refusal): TimbreError {
  const { status, call } = refusal
  const { error, message, data, errors } = (typeof body === 'object' && body !== null ? body : {}) as Envelope
  const known = { status, call, requestId: refusal.requestId, retryAfter: refusal.retryAfter }
  if (typeof error?.code === 'string' && typeof error.message === 'string') {
    const told = error as unknown as Record<string, never>
    const Class = BY_TYPE.get(error.type) ?? TimbreError
    return new Class({
      ...known,
      code: told.code as unknown as TimbreErrorCode,
      message: told.message as unknown as string,
      hint: hintOf(told.code as unknown as string, told.hint, call),
      param: told.param,
      retriable: told.retriable,
      requestId: told.request_id ?? refusal.requestId,
      docUrl: told.doc_url,
      details: told.details,
      existingId: told.existing_id,
      empresa: told.empresa,
      sii: told.sii,
      retryAfter: secondsIn(told.retry_after_seconds) ?? refusal.retryAfter,
    })
  }
  const [code] = Array.isArray(errors) ? errors : []
  if (code !== undefined) {
    const retryAfter = secondsIn(data?.retry_after_seconds) ?? refusal.retryAfter
    return new AccountError({
      ...known,
      code: code as TimbreErrorCode,
      message: message ?? code,
      param: data?.param,
      requestId: data?.request_id ?? refusal.requestId,
      retriable: retryAfter !== undefined,
      retryAfter,
    })
  }
  return strangeAnswer(refusal)
}

/** For whoever was answered by somebody else. */
export const CHECK_ADDRESS = 'Check baseUrl (or TIMBRE_URL), and whether a proxy or a log-in page stands in between.'

/** An answer in no envelope of ours. */
export function strangeAnswer({ status, contentType, location, ...refusal }: Refusal): TimbreError {
  // Without its query, which may hold a token.
  const moved = location === null ? '' : `, which points to ${location.split(/[?#]/)[0]}`
  return new UnexpectedAnswerError({
    code: 'unexpected_answer',
    message: `HTTP ${status} (${contentType || 'no content type'})${moved}: this is not an answer of Timbre.`,
    hint: CHECK_ADDRESS,
    status,
    retriable: status >= 500 || status === 429,
    requestId: refusal.requestId,
    retryAfter: refusal.retryAfter,
    call: refusal.call,
  })
}
