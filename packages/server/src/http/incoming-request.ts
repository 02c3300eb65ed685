import type { Operation } from '../domain/operation.ts'
import type { Admission, Call, Surface } from './call.ts'

/** What is read of a request, whichever framework brought it. */
export interface Incoming {
  readonly id: string
  readonly ip: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly params: unknown
  readonly query: unknown
}

/** One request on its way up the ladder: the call, and what is known of its caller so far. */
export interface Visit {
  readonly call: Call
  readonly admission: Admission
  readonly started: number
}

export function visitOf(request: Incoming, operation: Operation, surface: Surface): Visit {
  const call: Call = {
    operation,
    surface,
    request_id: request.id,
    ip: request.ip,
    header: (name) => {
      const value = request.headers[name]
      return typeof value === 'string' || value === undefined ? value : value.join(', ')
    },
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    path: request.url,
  }
  return { call, admission: {}, started: performance.now() }
}
