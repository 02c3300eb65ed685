import { HEADERS } from '../catalog/headers.ts'
import type { Operation } from '../domain/operation.ts'
import type { Answer } from '../kernel/answer.ts'
import type { Log } from '../kernel/log.ts'
import { Problem } from '../kernel/problem.ts'
import { admit, admitCaller } from './admit.ts'
import { frameworkProblem } from './bad-http.ts'
import type { Call, Surface } from './call.ts'
import { asProblem, commonHeaders, refusal, success } from './envelope.ts'
import { type Incoming, type Visit, visitOf } from './incoming-request.ts'
import { type Pipeline, perform } from './pipeline.ts'
import type { Route } from './routes.ts'

/** Told once an answer left: for the metrics and for tests that watch what is raised. */
export interface AnswerFact {
  readonly operation: Operation | null
  readonly status: number
  readonly code: string | null
  readonly seconds: number
}

export interface RequestHandlerParts {
  readonly pipeline: Pipeline
  readonly routes: readonly Route[]
  readonly log: Log
  readonly onAnswer?: (fact: AnswerFact) => void
}

const surfaceOf = (url: string): Surface => (/^\/account([/?]|$)/.test(url) ? 'bootstrap' : 'v1')

/** Between the framework and the pipeline: every request becomes an answer here, whatever happens on the way. */
export class RequestHandler {
  readonly #parts: RequestHandlerParts

  constructor(parts: RequestHandlerParts) {
    this.#parts = parts
  }

  /** A request that found its operation. Whoever carries the request keeps it beside it. */
  visit(request: Incoming, { operation, surface }: Route): Visit {
    return visitOf(request, operation, surface)
  }

  /** The rungs before the body is read. */
  admit({ call, admission }: Visit): Promise<void> {
    return admit(this.#parts.pipeline, call, admission)
  }

  async perform(visit: Visit, body: Uint8Array): Promise<Answer> {
    const answer = await perform(this.#parts.pipeline, visit.call, visit.admission, body)
    return this.#sent(visit.call.request_id, visit, success(visit.call, answer), null)
  }

  /** What is not an operation: a page, a document, a health check. */
  plain(request: Incoming, answer: Answer): Answer {
    return this.#sent(request.id, null, answer, null)
  }

  refuse(request: Incoming, visit: Visit | null, error: unknown): Answer {
    const { pipeline, log } = this.#parts
    const known = error instanceof Problem ? null : frameworkProblem(error as { code?: string; statusCode?: number })
    const problem = known ?? asProblem(error, log, request.id)
    const where = {
      surface: visit?.call.surface ?? surfaceOf(request.url),
      request_id: request.id,
      docs_url: pipeline.addresses.docs_url,
      empresa_rut: visit?.admission.empresa_rut,
    }
    return this.#sent(request.id, visit, refusal(problem, where), problem.code)
  }

  /** Has a public operation performed for a page as a call of its own would be: counted, checked, logged. */
  async ask(request: Incoming, id: string, body: object): Promise<Answer> {
    const { pipeline, routes } = this.#parts
    const route = routes.find(({ operation }) => operation.id === id && operation.reach === 'public')
    if (!route) throw new Error(`no page may ask for ${id}`)
    const visit = visitOf(
      { ...incoming(request), params: {}, query: {}, url: route.path },
      route.operation,
      route.surface,
    )
    const bytes = Buffer.from(JSON.stringify(body))
    return this.#answered(visit, async ({ call, admission }) => {
      await admit(pipeline, call, admission)
      return success(call, await perform(pipeline, call, admission, bytes))
    })
  }

  /** Work for a caller whom another door has let in: counted, checked and logged as a call of its own would be. */
  act(visit: Visit, work: (pipeline: Pipeline) => Promise<Answer>): Promise<Answer> {
    const { pipeline } = this.#parts
    return this.#answered(visit, async ({ call, admission }) => {
      await admitCaller(pipeline, call, admission)
      return work(pipeline)
    })
  }

  async #answered(visit: Visit, work: (visit: Visit) => Promise<Answer>): Promise<Answer> {
    const { pipeline, log } = this.#parts
    const { surface, request_id } = visit.call
    try {
      const answer = await work(visit)
      this.#observe(visit, answer.status, null)
      return answer
    } catch (error) {
      const problem = asProblem(error, log, request_id)
      this.#observe(visit, problem.status, problem.code)
      const { docs_url } = pipeline.addresses
      return refusal(problem, { surface, request_id, docs_url, empresa_rut: visit.admission.empresa_rut })
    }
  }

  #sent(request_id: string, visit: Visit | null, answer: Answer, code: string | null): Answer {
    if (visit) this.#observe(visit, answer.status, code)
    return {
      ...answer,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
        [HEADERS.request_id]: request_id,
        ...(visit && commonHeaders(visit.call, visit.admission)),
        ...answer.headers,
      },
    }
  }

  #observe({ call, admission, started }: Visit, status: number, code: string | null): void {
    const seconds = (performance.now() - started) / 1000
    this.#parts.onAnswer?.({ operation: call.operation, status, code, seconds })
    const { log } = this.#parts
    if (log.isLevelEnabled('info')) log.info(logged(call, status, code, seconds, admission), 'answered')
  }
}

/** Ids and figures, and the name an agent goes by: nothing else that was sent is ever logged. */
function logged(
  call: Call,
  status: number,
  code: string | null,
  seconds: number,
  admission: Visit['admission'],
): object {
  return {
    request_id: call.request_id,
    operation: call.operation.id,
    status,
    ...(code && { code }),
    ms: Math.round(seconds * 1000),
    account: admission.account?.account_id ?? admission.session?.account_id,
    credential: admission.caller?.credential_id,
    ...(admission.caller?.kind === 'agent' && { client: admission.caller.client_name }),
  }
}

function incoming({ id, ip, headers }: Incoming): Pick<Incoming, 'id' | 'ip' | 'headers'> {
  return { id, ip, headers }
}
