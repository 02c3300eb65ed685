import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Address } from '../address.ts'
import { isTrusted } from '../authority/trust.ts'
import { readBody } from '../body.ts'
import { type Answer, type Door, type DoorRequest, html, text } from '../door.ts'
import { ambienteOf } from '../hosts.ts'
import { NoAnswer } from '../no-answer.ts'
import type { Simulator } from '../simulator.ts'
import { settle } from '../uploads/settle.ts'
import { occasionOf } from '../weather/occasion.ts'
import { type Script, WIRE_KINDS } from '../weather/scripts.ts'
import { findDoor } from './registry.ts'

const MAX_BODY = 2 * 1024 * 1024

/** Finds the door, lets the weather act on the request, asks the door, lets the weather act on its answer. */
export async function answerDoor(
  ctx: Simulator,
  doors: readonly Door[],
  incoming: IncomingMessage,
  address: Extract<Address, { kind: 'sii' }>,
  peer: X509Certificate | null,
): Promise<Answer> {
  const started = performance.now()
  const { host, path } = address
  const method = incoming.method ?? 'GET'
  const found = findDoor(host, method, path, doors)
  const body = await readBody(incoming, found?.door.max_bytes ?? MAX_BODY)
  const taken: Script[] = []
  let answer: Answer | null = null
  try {
    if (!found) {
      answer = html('<HTML><HEAD><TITLE>404 Not Found</TITLE></HEAD><BODY>Not Found</BODY></HTML>', 404)
      return answer
    }
    if (body === null) {
      answer = html('<HTML><HEAD><TITLE>413</TITLE></HEAD><BODY>Request Entity Too Large</BODY></HTML>', 413)
      return answer
    }
    const request: DoorRequest = {
      host,
      ambiente: ambienteOf(host),
      method,
      path,
      base: address.base,
      params: found.params,
      query: new URLSearchParams(address.raw_query),
      raw_query: address.raw_query,
      headers: incoming.headers,
      cookies: cookiesOf(incoming.headers.cookie ?? ''),
      body,
      client_certificate: peer && isTrusted(peer, ctx.trusted, ctx.clock.now()) ? peer : null,
      origin: address.origin,
    }
    taken.push(...ctx.scripts.take(occasionOf(found.door.name, request), WIRE_KINDS))
    await settle(ctx)
    answer = await underWeather(ctx, taken, () => found.door.handle(ctx, request))
    return answer
  } finally {
    ctx.calls.add({
      at: new Date(ctx.clock.now()).toISOString(),
      host,
      door: found?.door.name ?? null,
      method,
      path,
      status: answer ? (answer.status ?? 200) : null,
      ms: Math.round(performance.now() - started),
      bytes_in: body?.length ?? 0,
      bytes_out: answer ? Buffer.byteLength(answer.body) : 0,
      scripts: taken.map(({ kind }) => kind),
    })
  }
}

async function underWeather(
  ctx: Simulator,
  scripts: readonly Script[],
  handle: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const has = (kind: Script['kind']) => scripts.find((script) => script.kind === kind)
  const slow = has('slow')
  if (slow) await wait(slow.ms ?? 1_000)
  if (has('down') || has('lose_upload')) throw new NoAnswer()
  if (has('html')) return html(MAINTENANCE)
  if (has('error_500_text')) return text('Error 500')
  const status = has('http_status')
  if (status) return html(MAINTENANCE, status.status ?? 503)
  if (has('expire_tokens')) ctx.state.tokens.clear()
  const answer = await handle()
  if (has('reset_before_answer')) throw new NoAnswer()
  if (has('truncate')) throw new NoAnswer(answer)
  return answer
}

const MAINTENANCE =
  '<HTML><HEAD><TITLE>SII</TITLE></HEAD><BODY><P>Estimado contribuyente: por el momento no podemos atenderlo. Intente más tarde.</P></BODY></HTML>'

function cookiesOf(header: string): Record<string, string> {
  const cookies: Record<string, string> = {}
  for (const pair of header.split(';')) {
    const cut = pair.indexOf('=')
    if (cut > 0) cookies[pair.slice(0, cut).trim()] = pair.slice(cut + 1).trim()
  }
  return cookies
}
