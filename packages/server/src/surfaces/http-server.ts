import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { HEADERS } from '../catalog/headers.ts'
import { CEILINGS } from '../catalog/limits.ts'
import { newId } from '../kernel/id.ts'
import type { Log } from '../kernel/log.ts'
import type { Operation } from '../kernel/operation.ts'
import { Problem } from '../kernel/problem.ts'
import { admit } from './admit.ts'
import type { Admission, Answer, Call, Surface } from './call.ts'
import { asProblem, commonHeaders, refusal, success } from './envelope.ts'
import { type Pipeline, perform } from './pipeline.ts'

/** Where an operation answers: `/v1/empresas/{empresa_id}` on one surface. */
export interface Route {
  readonly operation: Operation
  readonly surface: Surface
  readonly path: string
}

/** A plain answer of ours that is not an operation: a page, a document, a health check. */
export interface PlainRoute {
  readonly path: string
  readonly answer: (request: PlainRequest) => Promise<Answer> | Answer
}

export interface PlainRequest {
  readonly params: Readonly<Record<string, string>>
  readonly ip: string
  readonly request_id: string
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

interface Visit {
  readonly call: Call
  readonly admission: Admission
  readonly started: number
}

const NO_BODY = new Uint8Array(0)
const fastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

/** What the framework says when it stops a request by itself, in our words. */
function frameworkProblem(error: { code?: string; statusCode?: number }): Problem | null {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Problem('payload_too_large')
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem('unsupported_media_type')
  if (error.code === 'FST_ERR_BAD_URL') return new Problem('invalid_url')
  if (error.statusCode === 400 || error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return new Problem('invalid_json')
  return null
}

const surfaceOf = (url: string): Surface => (url.startsWith('/account') ? 'bootstrap' : 'v1')

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
    clientErrorHandler: (_error, socket) => badHttp(socket),
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
  for (const { path, answer } of parts.plain) {
    // HEAD too: it is how monitors and link checkers ask. Node leaves the body out by itself.
    app.route({
      method: ['GET', 'HEAD'],
      url: fastifyPath(path),
      async handler(request, reply) {
        const params = request.params as Record<string, string>
        return send(request, reply, await answer({ params, ip: request.ip, request_id: request.id }), null)
      },
    })
  }
  for (const [path, methods] of methodsByPath(parts)) {
    const others = (['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const).filter((method) => !methods.includes(method))
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
  const found = new Map<string, string[]>(plain.map(({ path }) => [path, ['GET', 'HEAD']]))
  for (const { path, operation } of routes) found.set(path, [...(found.get(path) ?? []), operation.method])
  return found
}

function visitOf(request: FastifyRequest, operation: Operation, surface: Surface): Visit {
  const call: Call = {
    operation,
    surface,
    request_id: request.id,
    ip: request.ip,
    header: (name) => {
      const value = request.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    path: request.url,
  }
  return { call, admission: {}, started: performance.now() }
}

/** Bytes that are not HTTP get the envelope too, as far as the socket still takes it. */
function badHttp(socket: { writable: boolean; end(text: string): void; destroy(): void }): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const id = newId('request')
  const error = {
    type: 'invalid_request_error',
    code: 'invalid_url',
    message: 'The request is not valid HTTP.',
    request_id: id,
  }
  const body = JSON.stringify({ error })
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n${HEADERS.request_id}: ${id}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
