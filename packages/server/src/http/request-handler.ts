import { HEADERS, SENT } from '../catalog/headers.ts'
import { isOperators } from '../domain/context.ts'
import type { Operation } from '../domain/operation.ts'
import { findOperatorSession } from '../domain/platform/operator-session/session.ts'
import type { Answer } from '../kernel/answer.ts'
import type { Log } from '../kernel/log.ts'
import { Problem } from '../kernel/problem.ts'
import { admit, admitCaller } from './admit.ts'
import { recordingRefusedActs } from './agent-acts.ts'
import { commonHeaders, errorAnswer, successAnswer, toProblem } from './answers.ts'
import { type ActiveCall, type Api, beginCall, type Call, type IncomingRequest } from './call.ts'
import { frameworkProblem } from './malformed-request.ts'
import { type Pipeline, perform } from './pipeline.ts'
import type { OperationRoute, PageInput, PageSession } from './routes.ts'

/** One answer, for the metrics and for tests that watch what is raised. */
export interface AnswerFact {
  readonly operation: Operation | null
  readonly status: number
  readonly code: string | null
  readonly seconds: number
}

export interface RequestHandlerParts {
  readonly pipeline: Pipeline
  readonly routes: readonly OperationRoute[]
  readonly log: Log
  readonly onAnswer?: (fact: AnswerFact) => void
}

const apiOf = (url: string): Api => (/^\/account([/?]|$)/.test(url) ? 'bootstrap' : 'v1')

/** Between the framework and the pipeline: turns every request into an answer, whatever happens on the way. */
export class RequestHandler {
  readonly #parts: RequestHandlerParts

  constructor(parts: RequestHandlerParts) {
    this.#parts = parts
  }

  /** A request that found its operation. The framework keeps the call beside the request. */
  begin(request: IncomingRequest, { operation, api }: OperationRoute): ActiveCall {
    return beginCall(request, operation, api)
  }

  /** The steps before the body is read. */
  admit({ call, admission }: ActiveCall): Promise<void> {
    return admit(this.#parts.pipeline, call, admission)
  }

  async perform(active: ActiveCall, body: Uint8Array): Promise<Answer> {
    const { call, admission } = active
    const answer = await perform(this.#parts.pipeline, call, admission, body)
    return this.#finish(call.request_id, active, successAnswer(call, answer), null)
  }

  /** The answer of a route that is no operation. */
  plain(request: IncomingRequest, answer: Answer): Answer {
    return this.#finish(request.id, null, answer, null)
  }

  refuse(request: IncomingRequest, active: ActiveCall | null, error: unknown): Answer {
    const { pipeline, log } = this.#parts
    const max_bytes = request.routeOptions?.bodyLimit
    const known =
      error instanceof Problem ? null : frameworkProblem(error as { code?: string; statusCode?: number }, max_bytes)
    const problem = known ?? toProblem(error, log, request.id)
    const refused = {
      api: active?.call.api ?? apiOf(request.url),
      request_id: request.id,
      docs_url: pipeline.addresses.docs_url,
      empresa_rut: active?.admission.empresa_rut,
    }
    return this.#finish(request.id, active, errorAnswer(problem, refused), problem.code)
  }

  /** Performs a public operation for a page as a call of its own would be: counted, checked, logged. */
  async callPublic(request: IncomingRequest, operation_id: string, body: object): Promise<Answer> {
    const { pipeline, routes } = this.#parts
    const route = routes.find(({ operation }) => operation.id === operation_id && operation.reach === 'public')
    if (!route) throw new Error(`no page may ask for ${operation_id}`)
    const { id, ip, headers } = request
    const own = { id, ip, headers, params: {}, query: {}, url: route.path }
    const active = beginCall(own, route.operation, route.api)
    const bytes = Buffer.from(JSON.stringify(body))
    return this.#answered(active, async ({ call, admission }) => {
      await admit(pipeline, call, admission)
      return successAnswer(call, await perform(pipeline, call, admission, bytes))
    })
  }

  /** Performs an operation of the operator for a page of theirs: the session answers for it in the place of the secret. */
  async callAsOperator(
    request: IncomingRequest,
    token: string,
    operation_id: string,
    { params = {}, query = {}, body }: PageInput,
  ): Promise<Answer> {
    const { pipeline, routes } = this.#parts
    const route = routes.find(({ operation }) => operation.id === operation_id && isOperators(operation.reach))
    if (!route) throw new Error(`no page of the operator may ask for ${operation_id}`)
    const { id, ip, headers } = request
    const own = { id, ip, headers, params, query, url: route.path }
    const active = beginCall(own, route.operation, route.api)
    return this.#answered(active, async ({ call, admission }) => {
      const session = await findOperatorSession(pipeline.sql, pipeline.operator_secret, token)
      if (!session) throw new Problem('operator_authentication_required')
      admission.operator = true
      admission.operator_session = session.id
      const bytes = body === undefined ? new Uint8Array(0) : Buffer.from(JSON.stringify(body))
      return successAnswer(call, await perform(pipeline, call, admission, bytes))
    })
  }

  /** Performs an operation for a page of the person whose session this is, as their call to /dashboard or /account would be. */
  async callAsSession(
    request: IncomingRequest,
    { token, serves, mode }: PageSession,
    operation_id: string,
    { params = {}, query = {} }: Omit<PageInput, 'body'> = {},
  ): Promise<Answer> {
    const { pipeline, routes } = this.#parts
    const route = routes.find(
      ({ operation, api }) => operation.id === operation_id && (api === 'dashboard' || operation.reach === 'session'),
    )
    if (!route) throw new Error(`no page of a person may ask for ${operation_id}`)
    const { id, ip } = request
    const headers = {
      'user-agent': request.headers['user-agent'],
      authorization: `Bearer ${token}`,
      ...(mode && { [SENT.mode]: mode }),
    }
    const own = { id, ip, headers, params, query, url: route.path }
    const active = beginCall(own, route.operation, route.api)
    const asPage = { ...active, call: { ...active.call, session_serves: serves } }
    return this.#answered(asPage, async ({ call, admission }) => {
      await admit(pipeline, call, admission)
      return successAnswer(call, await perform(pipeline, call, admission, new Uint8Array(0)))
    })
  }

  /** Performs a call for a caller who is already known, an agent over MCP: counted, checked and logged like any other. */
  performKnown(active: ActiveCall, work: (pipeline: Pipeline) => Promise<Answer>): Promise<Answer> {
    const { pipeline, log } = this.#parts
    return this.#answered(active, ({ call, admission }) =>
      recordingRefusedActs({ pipeline, log }, call, admission, async () => {
        await admitCaller(pipeline, call, admission)
        return work(pipeline)
      }),
    )
  }

  async #answered(active: ActiveCall, work: (active: ActiveCall) => Promise<Answer>): Promise<Answer> {
    const { pipeline, log } = this.#parts
    const { api, request_id } = active.call
    try {
      const answer = await work(active)
      this.#observe(active, answer.status, null)
      return answer
    } catch (error) {
      const problem = toProblem(error, log, request_id)
      this.#observe(active, problem.status, problem.code)
      const { docs_url } = pipeline.addresses
      return errorAnswer(problem, { api, request_id, docs_url, empresa_rut: active.admission.empresa_rut })
    }
  }

  #finish(request_id: string, active: ActiveCall | null, answer: Answer, code: string | null): Answer {
    if (active) this.#observe(active, answer.status, code)
    const own: Record<string, string> = {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      [HEADERS.request_id]: request_id,
    }
    const common = active && commonHeaders(active.call, active.admission)
    return { ...answer, headers: Object.assign(own, common, answer.headers) }
  }

  #observe({ call, admission, started }: ActiveCall, status: number, code: string | null): void {
    const seconds = (performance.now() - started) / 1000
    this.#parts.onAnswer?.({ operation: call.operation, status, code, seconds })
    const { log } = this.#parts
    if (log.isLevelEnabled('info')) log.info(logFields(call, status, code, seconds, admission), 'answered')
  }
}

/** Ids and figures, and the name an agent goes by: nothing else that was sent is ever logged. */
function logFields(
  call: Call,
  status: number,
  code: string | null,
  seconds: number,
  admission: ActiveCall['admission'],
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
