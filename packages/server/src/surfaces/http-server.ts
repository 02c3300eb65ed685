import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { HEADERS } from '../catalog/headers.ts'
import { CEILINGS } from '../catalog/limits.ts'
import type { Answer } from '../kernel/answer.ts'
import { newId } from '../kernel/id.ts'
import type { Log } from '../kernel/log.ts'
import type { Operation } from '../kernel/operation.ts'
import { Problem } from '../kernel/problem.ts'
import { admit } from './admit.ts'
import { answerNotHttp, frameworkProblem, refuseTwice } from './bad-http.ts'
import type { Surface } from './call.ts'
import { asProblem, commonHeaders, refusal, success } from './envelope.ts'
import { type Pipeline, perform } from './pipeline.ts'
import { type Visit, visitOf } from './visit.ts'

/** Where an operation answers: `/v1/empresas/{empresa_id}` on one surface. */
export interface Route {
  readonly operation: Operation
  readonly surface: Surface
  readonly path: string
}

/** A plain answer of ours that is not an operation: a page, a document, a health check. */
export interface PlainRoute {
  readonly path: string
  /** A POST takes a small form, as a browser without script sends it. */
  readonly method?: 'GET' | 'POST'
  readonly answer: (request: PlainRequest) => Promise<Answer> | Answer
}

export interface PlainRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly form: Readonly<Record<string, string | undefined>>
  readonly ip: string
  readonly request_id: string
  /** Has a public operation performed as a call of its own would be: counted, checked, in its transaction, logged. */
  readonly ask: (operation_id: string, body: object) => Promise<Answer>
}

export interface HttpParts {
  readonly pipeline: Pipeline
  readonly routes: readonly Route[]
  readonly plain: readonly PlainRoute[]
  readonly log: Log
  readonly trust_proxy: boolean
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  /** Told once an answer left: for the metrics and for tests that watch what is raised. */
  readonly onAnswer?: (fact: AnswerFact) => void
}

export interface AnswerFact {
  readonly operation: Operation | null
  readonly status: number
  readonly code: string | null
  readonly seconds: number
}

const NO_BODY = new Uint8Array(0)
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'] as const
const fastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

const surfaceOf = (url: string): Surface => (/^\/account([/?]|$)/.test(url) ? 'bootstrap' : 'v1')

export function openHttpServer(parts: HttpParts): FastifyInstance {
  const { pipeline, log } = parts
  const docs_url = pipeline.addresses.docs_url
  const visits = new WeakMap<FastifyRequest, Visit>()

  const app = Fastify({
    logger: false,
    trustProxy: parts.trust_proxy,
    bodyLimit: CEILINGS.json_body_bytes,
    exposeHeadRoutes: false,
    genReqId: () => newId('request'),
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500 },
    // The router's own refusals (a path that does not decode) never reach a hook: they are answered here.
    frameworkErrors: (error, request, reply) => refuse(error, request, reply),
    clientErrorHandler: (_error, socket) => answerNotHttp(socket, docs_url),
    ...(parts.tls && { https: { ...parts.tls, minVersion: 'TLSv1.2' as const } }),
  }) as unknown as FastifyInstance

  app.removeAllContentTypeParsers()
  const asIs = (_request: FastifyRequest, body: Buffer, done: (error: null, body: Buffer) => void) => done(null, body)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, asIs)
  // Without a body there is no type to judge: clients that send one all the same are let through empty-handed.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length > 0) done(new Problem('unsupported_media_type'))
    else done(null, body)
  })

  function send(request: FastifyRequest, reply: FastifyReply, answer: Answer, code: string | null): FastifyReply {
    const visit = visits.get(request)
    if (visit) reply.headers(commonHeaders(visit.call, visit.admission))
    reply
      .headers(answer.headers)
      .header(HEADERS.request_id, request.id)
      .header('Cache-Control', 'no-store')
      .code(answer.status)
    if (visit) observe(request, visit, answer.status, code)
    if (answer.body === null) return reply.send()
    if (!answer.headers['Content-Type']) reply.header('Content-Type', 'application/json; charset=utf-8')
    return reply.send(answer.body)
  }

  function observe(
    request: FastifyRequest,
    { call, admission, started }: Visit,
    status: number,
    code: string | null,
  ): void {
    const seconds = (performance.now() - started) / 1000
    parts.onAnswer?.({ operation: call.operation, status, code, seconds })
    log.info(
      {
        request_id: request.id,
        operation: call.operation.id,
        status,
        ...(code && { code }),
        ms: Math.round(seconds * 1000),
        account: admission.account?.account_id ?? admission.session?.account_id,
        credential: admission.caller?.credential_id,
      },
      'answered',
    )
  }

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known = frameworkProblem(error as { code?: string; statusCode?: number })
    const problem = known && !(error instanceof Problem) ? known : asProblem(error, log, request.id)
    const visit = visits.get(request)
    const surface = visit?.call.surface ?? surfaceOf(request.url)
    const where = { surface, request_id: request.id, docs_url, empresa_rut: visit?.admission.empresa_rut }
    return send(request, reply, refusal(problem, where), problem.code)
  }

  app.setErrorHandler((error, request, reply) => refuse(error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    return refuse(new Problem('route_not_found'), request, reply)
  })

  function serve({ operation, surface, path }: Route): void {
    app.route({
      method: operation.method,
      url: fastifyPath(path),
      async onRequest(request) {
        const visit = visitOf(request, operation, surface)
        visits.set(request, visit)
        refuseTwice(request.raw.rawHeaders)
        await admit(pipeline, visit.call, visit.admission)
      },
      async handler(request, reply) {
        const visit = visits.get(request) as Visit
        const body = (request.body as Buffer | undefined) ?? NO_BODY
        const answer = await perform(pipeline, visit.call, visit.admission, body)
        return send(request, reply, success(visit.call, answer), null)
      },
    })
  }

  for (const route of parts.routes) serve(route)

  async function ask(request: FastifyRequest, id: string, body: object): Promise<Answer> {
    const route = parts.routes.find(({ operation }) => operation.id === id && operation.reach === 'public')
    if (!route) throw new Error(`no page may ask for ${id}`)
    const { surface, operation, path } = route
    const visit = visitOf(request, operation, surface)
    const call = { ...visit.call, params: {}, query: {}, path }
    const asked = { ...visit, call }
    try {
      await admit(pipeline, call, visit.admission)
      const answer = await perform(pipeline, call, visit.admission, Buffer.from(JSON.stringify(body)))
      observe(request, asked, answer.status, null)
      return success(call, answer)
    } catch (error) {
      const problem = asProblem(error, log, request.id)
      observe(request, asked, problem.status, problem.code)
      return refusal(problem, { surface, request_id: request.id, docs_url })
    }
  }

  function servePlain(scope: FastifyInstance, { path, method = 'GET', answer }: PlainRoute): void {
    scope.route({
      // HEAD too: it is how monitors and link checkers ask. Node leaves the body out by itself.
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: fastifyPath(path),
      async handler(request, reply) {
        const { body, ip, id: request_id } = request
        const params = request.params as Record<string, string>
        const query = request.query as Record<string, string>
        const form = body instanceof URLSearchParams ? Object.fromEntries(body) : {}
        const plain = { params, query, form, ip, request_id, ask: ask.bind(null, request) }
        return send(request, reply, await answer(plain), null)
      },
    })
  }

  // Forms have a scope of their own: no operation takes one.
  app.register(async (scope) => {
    const options = { parseAs: 'string' as const, bodyLimit: CEILINGS.form_body_bytes }
    scope.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, body, done) => {
      done(null, new URLSearchParams(String(body)))
    })
    for (const route of parts.plain) servePlain(scope, route)
  })
  for (const [path, methods] of methodsByPath(parts)) {
    const others = METHODS.filter((method) => !methods.includes(method))
    app.route({
      method: others,
      url: fastifyPath(path),
      onRequest: async (request, reply) => refuse(notAllowed(methods), request, reply),
      handler: () => undefined,
    })
  }
  return app
}

function notAllowed(methods: readonly string[]): Problem {
  return new Problem('method_not_allowed', { headers: { Allow: methods.join(', ') } })
}

function methodsByPath({ routes, plain }: HttpParts): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const add = (path: string, methods: string[]) => found.set(path, [...(found.get(path) ?? []), ...methods])
  for (const { path, method } of plain) add(path, method === 'POST' ? ['POST'] : ['GET', 'HEAD'])
  for (const { path, operation } of routes) add(path, [operation.method])
  return found
}
