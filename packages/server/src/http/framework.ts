import { setImmediate as turn } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { CEILINGS } from '../catalog/limits.ts'
import type { Answer } from '../kernel/answer.ts'
import { newId } from '../kernel/id.ts'
import { Problem } from '../kernel/problem.ts'
import type { AccountScope } from '../kernel/scope.ts'
import { notFoundPage } from '../pages/not-found.ts'
import type { ActiveCall } from './call.ts'
import { downloadBody } from './downloads.ts'
import { openDrain } from './drain.ts'
import { answerMalformedHttp, refuseUnclearRequest } from './malformed-request.ts'
import type { RequestHandler, RequestHandlerParts } from './request-handler.ts'
import type { PlainRoute, RawRoute } from './routes.ts'

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

export const NO_BODY = new Uint8Array(0)
export const ROUTER = { ignoreTrailingSlash: false, maxParamLength: 500 }
export const fastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

/** A request without a host is refused by us, in the envelope of the contract. */
const NODE_OPTIONS = { requireHostHeader: false }
export function send(reply: FastifyReply, { status, headers, body, bytes, stream }: Answer): FastifyReply {
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

const noSchemas = () => () => {
  throw new Error('no route has a schema of the framework')
}

/** Input is checked and answers are written by the pipeline. The compilers that the framework has for both are a megabyte, and are not loaded. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } }

/** Where programs call: an unknown address there is an error in the envelope of the contract, whoever asks. */
const FOR_PROGRAMS = /^\/(?:v1|dashboard|account|mcp|oauth|openapi|\.well-known)(?:[/?]|$)/

/** A browser that follows a link names HTML first; a program takes anything, or JSON. */
export const wantsPage = ({ method, url, headers }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true && !FOR_PROGRAMS.test(url)

/** The framework with what holds for every request, and no route yet. */
export function openFramework(parts: HttpParts, handler: RequestHandler): FastifyInstance {
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
    routerOptions: ROUTER,
    schemaController: NO_SCHEMAS,
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
  const protective = Object.entries(headers)
  const drain = openDrain(app.server, parts.tls !== null)
  app.addHook('preClose', async () => {
    // What has arrived is read first, or a call that was sent before the stop would find its connection reset.
    await turn()
    await turn()
    drain.begin()
  })
  // The hooks of every request call on, and make no promise for it.
  app.addHook('onRequest', (request, _reply, done) => {
    refuseUnclearRequest(request.raw)
    done()
  })
  // On the socket's own answer, before any route: pages, refusals of the router and what a library answers carry it too.
  app.server.prependListener('request', (_request, answer) => {
    for (const [name, value] of protective) answer.setHeader(name, value)
    drain.begun(answer)
  })
  app.decorateRequest('call', null)
  app.decorateRequest('sender', null)
  app.addHook('preParsing', (request, reply, _payload, done) => {
    holdBody(parts, handler, request, reply)
    done()
  })
  app.setErrorHandler(refuse)
  const pages = parts.plain.filter(({ path, method = 'GET' }) => method === 'GET' && !/[{.]/.test(path)).map(pathOf)
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request)
      ? send(reply, handler.plain(request, notFoundPage(request.url.split('?')[0] ?? '', pages)))
      : refuse(new Problem('route_not_found'), request, reply),
  )
  return app
}
