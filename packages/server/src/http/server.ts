import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { HEADERS } from '../catalog/headers.ts'
import { CEILINGS } from '../catalog/limits.ts'
import type { Answer } from '../kernel/answer.ts'
import { newId } from '../kernel/id.ts'
import { Problem } from '../kernel/problem.ts'
import type { AccountScope } from '../kernel/scope.ts'
import { foreignFormPage, refusedFormPage } from '../pages/form-refusals.ts'
import { notFoundPage } from '../pages/not-found.ts'
import { AllowedMethods, type TakenMethods } from './allowed-methods.ts'
import type { ActiveCall } from './call.ts'
import { isCrossSite } from './cross-site.ts'
import { downloadBody } from './downloads.ts'
import { jsonOfForm } from './form-body.ts'
import { answerMalformedHttp, refuseDuplicateHeaders, refuseMissingHost, whyNotPlainUtf8 } from './malformed-request.ts'
import { RequestHandler, type RequestHandlerParts } from './request-handler.ts'
import type { OperationRoute, PlainRequest, PlainRoute, RawRoute } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the request has found its operation. */
    call: ActiveCall | null
    /** The account that the credential of a plain route belongs to, where it takes one. */
    sender: AccountScope | null
  }
}

export interface HttpParts extends RequestHandlerParts {
  readonly plain: readonly PlainRoute[]
  readonly raw?: readonly RawRoute[]
  readonly trust_proxy: boolean
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
}

const NO_BODY = new Uint8Array(0)
/** A request without a host is refused by us, in the envelope of the contract. */
const NODE_OPTIONS = { requireHostHeader: false }
const ROUTER = { ignoreTrailingSlash: false, maxParamLength: 500 }
const fastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

function send(reply: FastifyReply, { status, headers, body, bytes, stream }: Answer): FastifyReply {
  reply.code(status).headers(headers)
  if (stream) return reply.send(downloadBody(stream))
  if (bytes) return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (body !== null) return reply.send(body)
  return reply.removeHeader('Content-Type').send()
}

/**
 * Where TLS ends at this process, browsers are told to speak nothing else to this host for two years (RFC 6797). Behind
 * a proxy that is the proxy's to say, and neighbours under the same domain are never spoken for.
 */
function strictTransport({ tls }: Pick<HttpParts, 'tls'>): Readonly<Record<string, string>> {
  return tls ? { 'Strict-Transport-Security': 'max-age=63072000' } : {}
}

/** Every answer's own: a browser takes no answer of ours for another kind than it says to be. */
function protectiveHeaders(parts: Pick<HttpParts, 'tls'>): Readonly<Record<string, string>> {
  return { 'X-Content-Type-Options': 'nosniff', ...strictTransport(parts) }
}

/** Whatever route reads the body: it is counted before its first byte is read, and let go once it was answered. */
function holdBody(
  { pipeline }: HttpParts,
  handler: RequestHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { raw: req, ip, routeOptions } = request
  // The framework reads no body of these, and Node drops it.
  if (req.method === 'GET' || req.method === 'HEAD') return
  const account = request.call?.admission.account ?? request.sender ?? undefined
  const cut = (problem: Problem) => {
    // Whoever reads the body by itself gets no chance to answer in its own way: there is nobody left to read it.
    if (reply.sent && !reply.raw.headersSent) {
      const { status, headers, body } = handler.refuse(request, null, problem)
      reply.raw.writeHead(status, { ...headers, Connection: 'close' }).end(body, () => req.destroy())
    } else if (req.listenerCount('error') > 0) req.emit('error', problem)
    // It was answered already, and nobody reads the rest.
    else req.destroy()
  }
  const limit = routeOptions.bodyLimit ?? CEILINGS.json_body_bytes
  reply.raw.once('close', pipeline.bodies.take(req, { account, ip }, limit, cut))
}

const pathOf = ({ path }: PlainRoute) => path

/** Where programs call: an unknown address there is an error in the envelope of the contract, whoever asks. */
const FOR_PROGRAMS = /^\/(?:v1|dashboard|account|mcp|oauth|openapi|\.well-known)(?:[/?]|$)/

/** A browser that follows a link names HTML first; a program takes anything, or JSON. */
const wantsPage = ({ method, url, headers }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true && !FOR_PROGRAMS.test(url)

function openFramework(parts: HttpParts, handler: RequestHandler): FastifyInstance {
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    send(reply, handler.refuse(request, request.call ?? null, error))
  const { docs_url } = parts.pipeline.addresses
  const headers = protectiveHeaders(parts)
  const refuseSocket = (socket: Parameters<typeof answerMalformedHttp>[0], error?: { readonly code?: string }) =>
    answerMalformedHttp(socket, docs_url, headers, error)
  const app = Fastify({
    logger: false,
    // One hop: the address that the proxy itself saw. Whatever a client wrote before it is not believed.
    trustProxy: parts.trust_proxy ? (_address: string, hop: number) => hop === 0 : false,
    bodyLimit: CEILINGS.json_body_bytes,
    exposeHeadRoutes: false,
    genReqId: () => newId('request'),
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    routerOptions: ROUTER,
    // The router's own refusals (a path that does not decode) never reach a hook: they are answered here.
    frameworkErrors: refuse,
    clientErrorHandler: (error, socket) => refuseSocket(socket, error),
    // What comes while the process ends is answered like the rest, or by nobody: the framework's own 503 is no envelope.
    return503OnClosing: false,
    ...(parts.tls
      ? { https: { ...parts.tls, minVersion: 'TLSv1.2' as const, ...NODE_OPTIONS } }
      : { http: NODE_OPTIONS }),
  }) as unknown as FastifyInstance
  // RFC 9110, section 10.1.1: an expectation that is not known may be ignored, and so no caller needs another answer for it.
  app.server.on('checkExpectation', (request, answer) => app.server.emit('request', request, answer))
  app.server.on('connect', (_request, socket) => refuseSocket(socket))
  app.addHook('onRequest', async (request) => refuseMissingHost(request.raw))
  // On the socket's own answer, before any route: pages, refusals of the router and what a library answers carry it too.
  app.server.prependListener('request', (_request, answer) => {
    for (const [name, value] of Object.entries(headers)) answer.setHeader(name, value)
  })
  app.decorateRequest('call', null)
  app.decorateRequest('sender', null)
  app.addHook('preParsing', async (request, reply) => holdBody(parts, handler, request, reply))
  app.setErrorHandler(refuse)
  const pages = parts.plain.filter(({ path, method = 'GET' }) => method === 'GET' && !/[{.]/.test(path)).map(pathOf)
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request)
      ? send(reply, handler.plain(request, notFoundPage(request.url.split('?')[0] ?? '', pages)))
      : refuse(new Problem('route_not_found'), request, reply),
  )
  return app
}

/** Bodies are taken as bytes and parsed by the pipeline: the framework would coerce, drop fields and refuse an empty one. */
function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const refusal = body.length > 0 ? whyNotPlainUtf8(request.headers) : null
    if (refusal) done(refusal)
    else done(null, body)
  })
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return body
      const refusal = request.call?.call.operation.takes_form
        ? whyNotPlainUtf8(request.headers)
        : new Problem('unsupported_media_type')
      if (refusal) throw refusal
      return jsonOfForm(body, request.headers['content-type'] ?? '')
    },
  )
  // Without a body its type does not matter: clients that send one all the same are let through.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length > 0) done(new Problem('unsupported_media_type'))
    else done(null, body)
  })
}

function serveOperation(app: FastifyInstance, handler: RequestHandler, route: OperationRoute): void {
  app.route({
    method: route.operation.method,
    url: fastifyPath(route.path),
    bodyLimit: route.operation.body_bytes,
    async onRequest(request) {
      const call = handler.begin(request, route)
      request.call = call
      refuseDuplicateHeaders(request.raw.rawHeaders)
      await handler.admit(call)
    },
    async handler(request, reply) {
      const body = (request.body as Buffer | undefined) ?? NO_BODY
      return send(reply, await handler.perform(request.call as ActiveCall, body))
    },
  })
}

/** A form that a person sends from a page: what comes before its page is answered by a page too. */
const isForm = ({ method, for_programs }: PlainRoute) => method === 'POST' && !for_programs

/** Where a browser is still sending, it does not read what it is answered: the rest is let go by, up to what a photograph has. */
function letGoBy(req: FastifyRequest['raw']): Promise<void> {
  return new Promise((resolve) => {
    let left: number = CEILINGS.ignored_body_bytes
    req.on('data', (chunk: Uint8Array) => {
      left -= chunk.length
      if (left < 0) resolve()
    })
    for (const event of ['end', 'close', 'error']) req.once(event, () => resolve())
    if (req.readableEnded || req.destroyed) resolve()
    req.resume()
  })
}

/** What is wrong with a form, as a page; with the headers of the refusal itself. */
async function refuseForm(
  handler: RequestHandler,
  { takes_file }: PlainRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  const { status, headers } = handler.refuse(request, null, error)
  if (status === 413) await letGoBy(request.raw)
  const page = refusedFormPage(status, takes_file === true)
  return send(reply, { ...page, headers: { ...headers, ...page.headers } })
}

function servePlain(app: FastifyInstance, parts: HttpParts, handler: RequestHandler, route: PlainRoute): void {
  const { path, method = 'GET', body_bytes = CEILINGS.form_body_bytes, takes_file, account, answer } = route
  const headerOf =
    ({ headers }: FastifyRequest) =>
    (name: string) => {
      const sent = headers[name]
      return typeof sent === 'object' ? sent[0] : sent
    }
  app.route({
    bodyLimit: body_bytes,
    // HEAD too: it is how monitors and link checkers ask. Node leaves the body out by itself.
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: fastifyPath(path),
    config: { takes_file },
    ...(isForm(route) && {
      errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
        refuseForm(handler, route, request, reply, error),
    }),
    async onRequest(request, reply) {
      if (isForm(route) && isCrossSite({ header: headerOf(request) }, parts.pipeline.addresses.public_url))
        return send(reply, handler.plain(request, foreignFormPage()))
      request.sender = (await account?.(headerOf(request))) ?? null
    },
    async handler(request, reply) {
      const { body, ip, id: request_id } = request
      const params = request.params as Record<string, string>
      const query = request.query as PlainRequest['query']
      const form = body instanceof URLSearchParams || body instanceof Map ? Object.fromEntries(body) : {}
      const raw = body instanceof Uint8Array ? body : NO_BODY
      const header = headerOf(request)
      const node = { req: request.raw, res: reply.raw }
      const callOperation = handler.callPublic.bind(handler, request)
      const callAsOperator = handler.callAsOperator.bind(handler, request)
      const callAsSession = handler.callAsSession.bind(handler, request)
      const calls = { callOperation, callAsOperator, callAsSession }
      const plain = { params, query, form, raw, header, ip, request_id, node, ...calls }
      return send(reply, handler.plain(request, await answer(plain)))
    },
  })
}

/** Plain routes have a framework scope of their own, which parses forms: no operation takes one. */
function servePlainRoutes(app: FastifyInstance, parts: HttpParts, handler: RequestHandler): void {
  app.register(async (scope) => {
    const options = { parseAs: 'string' as const, bodyLimit: CEILINGS.form_body_bytes }
    scope.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, body, done) => {
      done(null, new URLSearchParams(String(body)))
    })
    scope.removeContentTypeParser('multipart/form-data')
    scope.addContentTypeParser(
      'multipart/form-data',
      { parseAs: 'buffer' },
      async (request: FastifyRequest, body: Buffer) => {
        const { takes_file } = request.routeOptions.config as { readonly takes_file?: true }
        if (!takes_file) throw new Problem('unsupported_media_type')
        return new Map(
          Object.entries(JSON.parse((await jsonOfForm(body, request.headers['content-type'] ?? '')).toString())),
        )
      },
    )
    for (const route of parts.plain) servePlain(scope, parts, handler, route)
  })
}

/** A raw route reads its body and answers by itself; what it fails to answer is answered here. */
function serveRawRoutes(app: FastifyInstance, handler: RequestHandler, routes: readonly RawRoute[]): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const { path, methods, handle } of routes) {
      scope.route({
        method: [...methods],
        url: fastifyPath(path),
        async handler(request, reply) {
          const { ip, id: request_id, raw: req } = request
          reply.raw.setHeader(HEADERS.request_id, request_id)
          reply.hijack()
          await handle({ req, res: reply.raw }, { ip, request_id }).catch((error: unknown) => {
            const { status, headers, body } = handler.refuse(request, null, error)
            if (reply.raw.headersSent) reply.raw.destroy()
            else reply.raw.writeHead(status, headers).end(body)
          })
        },
      })
    }
  })
}

function takenMethods({ routes, plain, raw = [] }: HttpParts): TakenMethods[] {
  const taken = [
    ...plain.map(({ path, method = 'GET' }) => ({ path, methods: method === 'GET' ? ['GET', 'HEAD'] : [method] })),
    ...raw,
    ...routes.map(({ path, operation }) => ({ path, methods: [operation.method] })),
  ]
  return taken.map(({ path, methods }) => ({ path: fastifyPath(path), methods }))
}

/**
 * A known address with a method it does not take says which it does. The framework finds addresses by method and knows
 * no such request: each of the other methods as a route of its own would be four routes more for every one.
 */
function refuseOtherMethods(app: FastifyInstance, handler: RequestHandler, parts: HttpParts): void {
  const allowed = new AllowedMethods(takenMethods(parts), ROUTER)
  const refuse = (request: FastifyRequest, reply: FastifyReply, methods: readonly string[]) => {
    const problem = new Problem('method_not_allowed', { headers: { Allow: methods.join(', ') } })
    send(reply, handler.refuse(request, null, problem))
  }
  for (const { path, methods, shadowed } of allowed.shadowed()) {
    app.route({
      method: [...shadowed],
      url: path,
      onRequest: (request, reply) => refuse(request, reply, methods),
      handler: () => undefined,
    })
  }
  // Before the body is read: a refused method has none.
  app.addHook('onRequest', (request, reply, done) => {
    const methods = request.is404 ? allowed.at(request.method, request.url) : null
    if (methods) refuse(request, reply, methods)
    else done()
  })
}

/** The only place that knows the HTTP framework. */
export function openHttpServer(parts: HttpParts): FastifyInstance {
  const handler = new RequestHandler(parts)
  const app = openFramework(parts, handler)
  acceptJson(app)
  for (const route of parts.routes) serveOperation(app, handler, route)
  servePlainRoutes(app, parts, handler)
  serveRawRoutes(app, handler, parts.raw ?? [])
  refuseOtherMethods(app, handler, parts)
  return app
}
