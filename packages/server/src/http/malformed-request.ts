import type { IncomingMessage } from 'node:http'
import { HEADERS } from '../catalog/headers.ts'
import { CEILINGS } from '../catalog/limits.ts'
import { newId } from '../kernel/id.ts'
import { bodyTooLarge } from '../kernel/json.ts'
import { errorBody, invalidField, Problem } from '../kernel/problem.ts'

/** The refusal for a request that the framework stops by itself; null for any other error. */
export function frameworkProblem(
  error: { code?: string; statusCode?: number },
  max_bytes: number = CEILINGS.json_body_bytes,
): Problem | null {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(max_bytes)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem('unsupported_media_type')
  if (error.code === 'FST_ERR_BAD_URL' || error.code === 'FST_ERR_MAX_PARAM_LENGTH') return new Problem('invalid_url')
  if (error.statusCode === 400 || error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return new Problem('invalid_json')
  return null
}

/** RFC 8259: JSON is UTF-8, of which ASCII is a part. */
const UTF8 = /^(utf-?8|us-ascii)$/i

/** The refusal for a body that says it is packed, or written in another charset: read as if it were not, it would be another. */
export function whyNotPlainUtf8(headers: IncomingMessage['headers']): Problem | null {
  const encoding = headers['content-encoding']?.trim() ?? ''
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    const message = 'The body says that it is compressed (Content-Encoding): send it as it is.'
    return new Problem('unsupported_media_type', { message, param: 'Content-Encoding' })
  }
  const [, charset] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '') ?? []
  if (charset === undefined || UTF8.test(charset)) return null
  const message = 'The body is in another charset than UTF-8, which is the one of JSON.'
  return new Problem('unsupported_media_type', { message, param: 'Content-Type' })
}

/** Headers that decide who calls and on whose behalf: sent twice, two readers could each see another one. */
const SINGLE_HEADERS = new Set(
  ['Authorization', HEADERS.empresa, HEADERS.mode, HEADERS.idempotency_key, HEADERS.operator_secret].map((name) =>
    name.toLowerCase(),
  ),
)
/** Most headers of a request are told apart from these by their length alone. */
const SINGLE_LENGTHS = new Set([...SINGLE_HEADERS].map(({ length }) => length))

export function refuseDuplicateHeaders(raw: readonly string[]): void {
  const seen: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const text = raw[i] as string
    if (!SINGLE_LENGTHS.has(text.length)) continue
    const name = text.toLowerCase()
    if (!SINGLE_HEADERS.has(name)) continue
    if (seen.includes(name)) throw invalidField(text, 'it was sent twice.')
    seen.push(name)
  }
}

type Head = Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>

function namesTwice(raw: readonly string[], name: string): boolean {
  let times = 0
  for (let i = 0; i < raw.length; i += 2) {
    const text = raw[i] as string
    if (text.length === name.length && text.toLowerCase() === name) times++
  }
  return times > 1
}

/**
 * What a proxy before us could read as another request than we do. Node would refuse one without a host by itself, and
 * without a word of ours; of two hosts it takes the first, and a packed message it hands on as it is
 * (RFC 9112, sections 3.2 and 6.1).
 */
export function refuseUnclearRequest({ httpVersion, headers, rawHeaders }: Head): void {
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new Problem('invalid_url', { message: 'The request names no host: HTTP/1.1 asks for a Host header.' })
  }
  if (namesTwice(rawHeaders, 'host')) {
    throw new Problem('invalid_url', { message: 'The request names two hosts: send one Host header.' })
  }
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    const message = 'The request is packed (Transfer-Encoding): send it in chunks or whole, and as it is.'
    throw new Problem('unsupported_media_type', { message, param: 'Transfer-Encoding' })
  }
}

interface Socket {
  readonly writable: boolean
  /** The answer that Node is writing to it; it has no public name. */
  readonly _httpMessage?: { readonly headersSent: boolean } | null
  end(text: string): void
  destroy(): void
}

/** Bytes that are not HTTP are answered with the error envelope too, as far as the socket still takes it. */
export function answerMalformedHttp(
  socket: Socket,
  docs_url: string,
  headers: Readonly<Record<string, string>> = {},
  why: { readonly code?: string } = {},
): void {
  // In the midst of another answer, a second one would be read as its body.
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  const id = newId('request')
  const late = why.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const problem = late
    ? new Problem('request_timeout')
    : new Problem('invalid_url', { message: 'The request is not valid HTTP.' })
  const error = errorBody(problem, { request_id: id, docs_url })
  const body = JSON.stringify({ error })
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${late ? '408 Request Timeout' : '400 Bad Request'}\r\nContent-Type: application/json; charset=utf-8\r\n${HEADERS.request_id}: ${id}\r\n` +
      `${more.join('')}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
