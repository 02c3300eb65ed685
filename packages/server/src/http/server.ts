import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HEADERS } from '../catalog/headers.ts'
import { Problem } from '../kernel/problem.ts'
import { formAddressPage } from '../pages/form-address.ts'
import { AllowedMethods, type TakenMethods } from './allowed-methods.ts'
import type { ActiveCall } from './call.ts'
import { jsonOfForm } from './form-body.ts'
import { fastifyPath, type HttpParts, NO_BODY, openFramework, ROUTER, send, wantsPage } from './framework.ts'
import { refuseDuplicateHeaders, whyNotPlainUtf8 } from './malformed-request.ts'
import { servePlainRoutes } from './plain-routes.ts'
import { RequestHandler } from './request-handler.ts'
import type { OperationRoute, RawRoute } from './routes.ts'

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
    const Allow = methods.join(', ')
    const page = wantsPage(request) ? formAddressPage() : null
    const answer = page
      ? handler.plain(request, { ...page, headers: { ...page.headers, Allow } })
      : handler.refuse(request, null, new Problem('method_not_allowed', { headers: { Allow } }))
    send(reply, answer)
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

/** This file, `framework` and `plain-routes` are the only ones that know the HTTP framework. */
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
