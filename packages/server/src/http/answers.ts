import { ACCOUNT_ERRORS, type AccountErrorCode } from '../catalog/account-errors.ts'
import { HEADERS } from '../catalog/headers.ts'
import { CALLS } from '../catalog/limits.ts'
import type { Answer } from '../kernel/answer.ts'
import { ShareExhausted } from '../kernel/connection-shares.ts'
import { isContention, isDatabaseAway, isTooLong, STATEMENT_SECONDS } from '../kernel/db.ts'
import { sizeText } from '../kernel/json.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { OwnerGone } from '../kernel/owner.ts'
import { AccountProblem, errorBody, Problem } from '../kernel/problem.ts'
import type { Verdict } from '../kernel/rate-limit.ts'
import { type Artifact, isArtifact, type StreamedArtifact } from '../kernel/schema.ts'
import type { Ports } from '../ports/ports.ts'
import type { Admission, Api, Call } from './call.ts'

const NOTHING = new Uint8Array(0)

/** The verb's result as the answer of its operation; `written` where it is JSON already. */
export function resourceAnswer(
  { ports }: { readonly ports: Pick<Ports, 'weather'> },
  { operation }: Call,
  { account }: Admission,
  resource: unknown,
  written?: string,
): Answer {
  if (isArtifact(operation.returns)) {
    const file = resource as Artifact | StreamedArtifact
    return 'stream' in file ? streamAnswer(file) : artifactAnswer(file)
  }
  const headers: Record<string, string> = {}
  const wait = operation.pollAfter?.(resource, account?.mode ?? 'live', ports.weather)
  if (wait != null) headers[HEADERS.poll_after] = String(wait)
  return {
    status: operation.status,
    headers,
    body: operation.returns === null ? null : (written ?? JSON.stringify(resource)),
  }
}

/** What nobody knows the kind of is saved: a stranger may have written it. */
function artifactAnswer(file: Artifact): Answer {
  return fileAnswer(file, file.media_type === 'application/octet-stream' ? 'attachment' : 'inline')
}

/** A file, which a browser shows in place (`inline`) or saves. The name is ours, so it needs no quoting. */
export function fileAnswer({ media_type, bytes, filename }: Artifact, how: 'inline' | 'attachment'): Answer {
  const headers = {
    'Content-Type': media_type,
    'Content-Disposition': `${how}; filename="${filename}"`,
  }
  return { status: 200, headers, body: null, bytes }
}

function streamAnswer({ media_type, stream, filename }: StreamedArtifact): Answer {
  const { bytes: _, ...answer } = fileAnswer({ media_type, filename, bytes: NOTHING }, 'attachment')
  return { ...answer, stream }
}

export function asReplay(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, [HEADERS.idempotent_replay]: 'true' } }
}

const TOO_MUCH = 'Too much work of this account is being done. Send fewer calls at a time.'
const BUSY = 'Other calls kept changing the same thing.'
const TOO_LONG =
  `The database did not finish within ${STATEMENT_SECONDS} seconds, and nothing was changed. Other calls may have been in ` +
  'the way, or this one asks for too much: if it takes as long again, ask for less at a time.'

/**
 * Anything thrown becomes a refusal: ours as it is, an empresa that was deleted meanwhile as the 404 of any call that
 * names it, a database that is away or too busy as a 503, the rest as a 500 that only the log explains.
 */
export function toProblem(error: unknown, log: Log, request_id: string): Problem | AccountProblem {
  if (error instanceof Problem || error instanceof AccountProblem) return error
  if (error instanceof OwnerGone) return new Problem('empresa_not_found')
  if (error instanceof ShareExhausted) {
    return new Problem('rate_limited', { message: TOO_MUCH, retry_after_seconds: CALLS.retry_after_seconds })
  }
  if (isContention(error)) {
    log.warn({ request_id, error: describeError(error) }, 'the database is too busy')
    return new Problem('service_unavailable', { message: BUSY })
  }
  if (isTooLong(error)) {
    log.warn({ request_id, error: describeError(error) }, 'a statement took too long')
    return new Problem('service_unavailable', { message: TOO_LONG })
  }
  if (isDatabaseAway(error)) {
    log.warn({ request_id, error: describeError(error) }, 'the database is away')
    return new Problem('service_unavailable')
  }
  log.error({ request_id, error: describeError(error) }, 'unexpected error')
  return new Problem('internal_error')
}

/** A wait is given in both vocabularies, HTTP's and the contract's. */
function waitHeaders(seconds: number | undefined): Record<string, string> {
  if (seconds === undefined) return {}
  return { [HEADERS.retry_after]: String(seconds), [HEADERS.poll_after]: String(seconds) }
}

export function rateHeaders(rate: Verdict | undefined): Record<string, string> {
  if (!rate) return {}
  return {
    [HEADERS.rate_limit]: String(rate.limit),
    [HEADERS.rate_remaining]: String(rate.remaining),
    [HEADERS.rate_reset]: String(rate.reset_seconds),
  }
}

interface RefusedCall {
  readonly api: Api
  readonly request_id: string
  readonly docs_url: string
  readonly empresa_rut?: string | undefined
}

/** A refusal in the envelope of its API. */
export function errorAnswer(problem: Problem | AccountProblem, refused: RefusedCall): Answer {
  if (refused.api === 'bootstrap') return accountErrorAnswer(problem, refused.request_id)
  if (problem instanceof AccountProblem) throw new Error('a refusal of /account was thrown outside it')
  const { request_id, docs_url, empresa_rut } = refused
  const error = errorBody(problem, { request_id, docs_url, ...(empresa_rut !== undefined && { empresa: empresa_rut }) })
  return {
    status: problem.status,
    headers: { ...waitHeaders(problem.retry_after_seconds), ...problem.facts.headers },
    body: JSON.stringify({ error }),
  }
}

/** Whatever is wrong inside `bootstrap`, the contract has one code for it; `data.param` tells where. */
function accountCode(code: string, param: string | undefined): AccountErrorCode {
  if (code.startsWith('invalid_') && /^bootstrap\b/.test(param ?? '')) return 'invalid_bootstrap'
  return code in ACCOUNT_ERRORS ? (code as AccountErrorCode) : 'internal_error'
}

/** The limit of a body is worth telling; of everything else the person needs the sentence alone. */
function accountMessage(code: AccountErrorCode, { facts }: Problem): string {
  const max_bytes = code === 'payload_too_large' ? facts.details?.max_bytes : undefined
  if (typeof max_bytes !== 'number') return ACCOUNT_ERRORS[code].message
  return `La solicitud es demasiado grande: puede tener hasta ${sizeText(max_bytes)}.`
}

function accountErrorAnswer(problem: Problem | AccountProblem, request_id: string): Answer {
  const param = problem instanceof Problem ? problem.facts.param : problem.param
  const code = accountCode(problem.code, param)
  const wait = problem.retry_after_seconds
  const message = problem instanceof AccountProblem ? problem.message : accountMessage(code, problem)
  return {
    status: ACCOUNT_ERRORS[code].status,
    headers: { ...waitHeaders(wait), ...(problem instanceof Problem && problem.facts.headers) },
    body: JSON.stringify({
      status: 'error',
      message,
      data: {
        request_id,
        ...(param !== undefined && { param }),
        ...(wait !== undefined && { retry_after_seconds: wait }),
      },
      errors: [code],
    }),
  }
}

/** A success goes out bare, but for /account, which wraps it. */
export function successAnswer(call: Call, answer: Answer): Answer {
  if (call.api !== 'bootstrap') return answer
  const data = answer.body === null ? null : (JSON.parse(answer.body) as unknown)
  const message = call.operation.said ?? 'Listo.'
  return { ...answer, body: JSON.stringify({ status: 'success', message, data, errors: [] }) }
}

/** The headers of every answer of an operation, refusals too. */
export function commonHeaders(call: Call, admission: Admission): Record<string, string> {
  const { sunset } = call.operation
  const headers = rateHeaders(admission.rate)
  if (!sunset) return headers
  return Object.assign(headers, { [HEADERS.sunset]: new Date(sunset).toUTCString(), [HEADERS.deprecation]: 'true' })
}
