import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CEILINGS } from '../catalog/limits.ts'
import { Problem } from '../kernel/problem.ts'
import { foreignFormPage, refusedFormPage } from '../pages/form-refusals.ts'
import { isCrossSite } from './cross-site.ts'
import { jsonOfForm } from './form-body.ts'
import { fastifyPath, type HttpParts, NO_BODY, send } from './framework.ts'
import type { RequestHandler } from './request-handler.ts'
import type { PlainRequest, PlainRoute } from './routes.ts'

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
      const plain: PlainRequest = {
        params,
        query,
        form,
        raw,
        header,
        ip,
        request_id,
        node,
        callOperation,
        callAsOperator,
        callAsSession,
      }
      return send(reply, handler.plain(request, await answer(plain)))
    },
  })
}

/** Plain routes have a framework scope of their own, which parses forms: no operation takes one. */
export function servePlainRoutes(app: FastifyInstance, parts: HttpParts, handler: RequestHandler): void {
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
