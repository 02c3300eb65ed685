// The routes of the service, which every world of a worker serves in turn.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { HttpParts } from '../../src/http/framework.ts'
import { openHttpServer } from '../../src/http/server.ts'

function present<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('a world has fewer routes than the framework that serves it')
  return part
}

/** A framework that knows its routes, and the world that it answers for. */
class SharedHttp {
  readonly http: FastifyInstance
  serving: HttpParts
  /** Requests that are not answered yet. */
  readonly unanswered = new Set<FastifyRequest>()

  constructor(first: HttpParts) {
    this.serving = first
    this.http = openHttpServer(this.#whicheverServes(first))
    this.http.addHook('onRequest', async (request) => {
      this.unanswered.add(request)
    })
    this.http.addHook('onResponse', async (request) => {
      this.unanswered.delete(request)
    })
  }

  #whicheverServes({ plain, raw = [], trust_proxy }: HttpParts): HttpParts {
    const now = () => this.serving
    return {
      get pipeline() {
        return now().pipeline
      },
      get routes() {
        return now().routes
      },
      get log() {
        return now().log
      },
      onAnswer: (fact) => now().onAnswer?.(fact),
      plain: plain.map((route, place) => ({
        ...route,
        ...(route.account && {
          account: async (header) => (await present(now().plain[place]).account?.(header)) ?? null,
        }),
        answer: (request) => present(now().plain[place]).answer(request),
      })),
      raw: raw.map((route, place) => ({
        ...route,
        handle: (...exchange) => present(now().raw?.[place]).handle(...exchange),
      })),
      trust_proxy,
      tls: null,
    }
  }

  /** Whether a world differs only in what the framework asks for at each request. */
  fits(parts: HttpParts): boolean {
    const shapes = [this.serving, parts].map(({ routes, plain, raw = [], trust_proxy, pipeline }) => [
      trust_proxy,
      pipeline.addresses.docs_url,
      ...plain.map(({ path, method, body_bytes, account }) => `${method} ${path} ${body_bytes} ${Boolean(account)}`),
      ...raw.map(({ path, methods }) => `${methods} ${path}`),
      ...routes.map(({ operation }) => operation),
    ])
    const [known = [], asked = []] = shapes
    return known.length === asked.length && known.every((part, place) => part === asked[place])
  }
}

/** Those whose world has closed. */
const idle: SharedHttp[] = []

/**
 * Serves a world as `openHttpServer` does, with the routes of one that has closed: the framework takes a tenth of a second
 * to learn them. One that listened, or left a request unanswered, is closed with its world.
 */
export function shareHttp(parts: HttpParts): FastifyInstance {
  if (parts.tls) return openHttpServer(parts)
  const place = idle.findIndex((shared) => shared.fits(parts))
  const [known] = place < 0 ? [] : idle.splice(place, 1)
  const shared = known ?? new SharedHttp(parts)
  shared.serving = parts
  const { http } = shared
  let listened = false
  return Object.assign(Object.create(http) as FastifyInstance, {
    listen: ((...where: Parameters<FastifyInstance['listen']>) => {
      listened = true
      return http.listen(...where)
    }) as FastifyInstance['listen'],
    close: (async () => {
      if (listened || shared.unanswered.size > 0) await http.close()
      else idle.push(shared)
    }) as FastifyInstance['close'],
  })
}
