import type { IncomingMessage } from 'node:http'
import type { Address } from '../address.ts'
import { readBody } from '../body.ts'
import { type Answer, json } from '../door.ts'
import type { Simulator } from '../simulator.ts'
import { settle } from '../uploads/settle.ts'
import { ControlRefusal, type ControlRoute } from './route.ts'
import { CONTROL_ROUTES } from './routes.ts'

const MAX_BODY = 8 * 1024 * 1024

/** The simulator's own surface: only from this machine, and never by a page of another site. */
export async function answerControl(
  ctx: Simulator,
  incoming: IncomingMessage,
  address: Extract<Address, { kind: 'own' }>,
): Promise<Answer> {
  const body = await readBody(incoming, MAX_BODY)
  const method = incoming.method ?? 'GET'
  if (!isLoopback(incoming)) return refusal(403, 'forbidden', 'The control surface answers on this machine only.')
  if (isOfAnotherSite(incoming)) return refusal(403, 'forbidden', 'Pages of other sites may not control the simulator.')
  const found = findRoute(method, address.path)
  if (!found) return refusal(404, 'not_found', `Nothing at ${method} ${address.path}.`)
  if (body === null) return refusal(413, 'too_large', `At most ${MAX_BODY} bytes.`)
  // A form of another site cannot send JSON without asking first, so it cannot script anything.
  const isJson = (incoming.headers['content-type'] ?? '').startsWith('application/json')
  if (body.length > 0 && !isJson) return refusal(415, 'unsupported_media_type', 'Send application/json.')
  try {
    const input: unknown = body.length > 0 ? JSON.parse(Buffer.from(body).toString('utf8')) : {}
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      return refusal(400, 'invalid', 'Send a JSON object.')
    }
    await settle(ctx)
    return await found.route.handle(ctx, {
      params: found.params,
      query: new URLSearchParams(address.raw_query),
      input: input as Record<string, unknown>,
    })
  } catch (failure) {
    if (failure instanceof ControlRefusal) return refusal(400, 'invalid', failure.message)
    if (failure instanceof SyntaxError) return refusal(400, 'invalid', 'The body is not JSON.')
    throw failure
  }
}

function refusal(status: number, error: string, message: string): Answer {
  return json({ error, message }, status)
}

/** A browser says which page a request comes from; a program says nothing. */
function isOfAnotherSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return (
    headers.origin !== undefined &&
    headers.origin !== `http://${headers.host}` &&
    headers.origin !== `https://${headers.host}`
  )
}

function isLoopback(incoming: IncomingMessage): boolean {
  const from = (incoming.socket.remoteAddress ?? '').replace('::ffff:', '')
  const name = (incoming.headers.host ?? '').replace(/:\d+$/, '')
  return (from === '::1' || from.startsWith('127.')) && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(name)
}

function findRoute(method: string, path: string): { route: ControlRoute; params: Record<string, string> } | null {
  for (const route of CONTROL_ROUTES) {
    if (route.method !== method) continue
    if (route.path === path) return { route, params: {} }
    const match = typeof route.path === 'string' ? null : route.path.exec(path)
    if (match && match[0] === path) return { route, params: { ...match.groups } }
  }
  return null
}
