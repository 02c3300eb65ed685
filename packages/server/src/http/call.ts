import type { Operation } from '../domain/operation.ts'
import type { ClockSetting } from '../kernel/clock.ts'
import type { Verdict } from '../kernel/rate-limit.ts'
import type { AccountScope, Caller } from '../kernel/scope.ts'
import type { SessionServes } from '../ports/sessions.ts'

/** The three APIs: /v1 for keys, /dashboard for sessions, and /account, whose envelope is its own. */
export type Api = 'v1' | 'dashboard' | 'bootstrap'

/** The part of a request that is read, whichever framework brought it. */
export interface IncomingRequest {
  readonly id: string
  readonly ip: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly params: unknown
  readonly query: unknown
  readonly routeOptions?: { readonly bodyLimit?: number }
  readonly raw?: { readonly socket: { readonly destroyed: boolean } }
}

/** A call of one operation, without its transport: HTTP and MCP hand the same to the pipeline. */
export interface Call {
  readonly operation: Operation
  readonly api: Api
  readonly request_id: string
  readonly ip: string
  /** Header by its lower-case name; sent twice counts as garbled and reads as joined text. */
  readonly header: (name: string) => string | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: Record<string, unknown>
  /** Path and query as sent: part of what makes two idempotent requests the same. */
  readonly path: string
  /** Which sessions answer for it, where that is not one of the account: a page of ours may have a kind of its own. */
  readonly session_serves?: SessionServes
  /** Whether nobody waits for its answer any more. */
  readonly gone?: () => boolean
  /**
   * A key of ours under which its answer is kept, whatever the operation says of an Idempotency-Key: performed again under
   * the same one it gives that answer and does nothing more.
   */
  readonly once?: string
  /** Called with what the verb answers before any of it is committed. Throwing here rolls all of it back. */
  readonly beforeCommit?: (resource: unknown) => void
}

/** The caller as far as it is known. Fields are filled as the call goes on, so that a refusal can tell what was known by then. */
export interface Admission {
  account?: AccountScope
  caller?: Caller
  clock?: ClockSetting
  session?: { readonly session_id: string; readonly account_id: string }
  operator?: true
  /** The session of the operator's pages that the call comes from, where it does. */
  operator_session?: string
  rate?: Verdict
  empresa_rut?: string
  /** The account that a call without a credential turned out to be about. */
  concerns?: string
}

/** A call under way: what is known of its caller so far, and when it began. */
export interface ActiveCall {
  readonly call: Call
  readonly admission: Admission
  readonly started: number
}

export function beginCall(request: IncomingRequest, operation: Operation, api: Api): ActiveCall {
  const call: Call = {
    operation,
    api,
    request_id: request.id,
    ip: request.ip,
    header: (name) => {
      const value = request.headers[name]
      return typeof value === 'string' || value === undefined ? value : value.join(', ')
    },
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    path: request.url,
    gone: () => request.raw?.socket.destroyed === true,
  }
  return { call, admission: {}, started: performance.now() }
}

/** Thrown before the commit to see what would come of a call: it rolls everything back, and is no refusal. */
export class DryRun extends Error {
  readonly resource: unknown

  constructor(resource: unknown) {
    super('nothing was done')
    this.resource = resource
  }
}
