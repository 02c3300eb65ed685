import type { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Ambiente, SiiHost } from './hosts.ts'
import type { Simulator } from './simulator.ts'

/** One address of the SII: which hosts have it, and what it answers. Scripts of weather name it by `name`. */
export type Door = {
  name: string
  hosts: readonly SiiHost[]
  method: 'GET' | 'POST' | 'ANY'
  /** Compared whole. A pattern's named groups arrive as `params`. */
  path: string | RegExp
  /** The most bytes that a body may have; a longer one is refused before the door hears of it. */
  max_bytes?: number
  handle(ctx: Simulator, request: DoorRequest): Answer | Promise<Answer>
}

export type DoorRequest = {
  host: SiiHost
  ambiente: Ambiente
  method: string
  /** Without the segment that names the host, and without the query. */
  path: string
  params: Record<string, string>
  query: URLSearchParams
  /** What follows the question mark, as it came: some doors take a whole address there. */
  raw_query: string
  headers: IncomingHttpHeaders
  cookies: Record<string, string>
  body: Uint8Array
  /** The certificate that the caller proved to own in the TLS handshake, checked against the trusted authorities. */
  client_certificate: X509Certificate | null
  /** How the caller reaches this host: the beginning of absolute addresses in pages and headers. */
  origin: (host: SiiHost) => string
}

export type Answer = {
  status?: number
  type?: string
  headers?: Record<string, string | string[]>
  body: string | Uint8Array
}

export const XML = 'text/xml; charset=utf-8'
export const JSON_TYPE = 'application/json;charset=utf-8'
export const HTML = 'text/html'
export const TEXT = 'text/plain'

export function xml(body: string): Answer {
  return { type: XML, body }
}

export function html(body: string | Uint8Array, status = 200): Answer {
  return { type: HTML, body, status }
}

export function json(value: unknown, status = 200): Answer {
  return { type: JSON_TYPE, body: JSON.stringify(value), status }
}

export function text(body: string, status = 200): Answer {
  return { type: TEXT, body, status }
}

/** The fields of an `application/x-www-form-urlencoded` body. Pages of the SII write it in ISO-8859-1 or windows-1252. */
export function formOf(request: DoorRequest, encoding: 'utf-8' | 'windows-1252' = 'windows-1252'): URLSearchParams {
  const fields = new URLSearchParams()
  const decode = new TextDecoder(encoding)
  const plain = (part: string): string => {
    const bytes: number[] = []
    const source = Buffer.from(part, 'latin1')
    for (let at = 0; at < source.length; at++) {
      const hex = source[at] === 0x25 ? /^[0-9a-f]{2}/i.exec(source.toString('latin1', at + 1, at + 3)) : null
      if (hex) at += 2
      bytes.push(hex ? Number.parseInt(hex[0], 16) : source[at] === 0x2b ? 0x20 : (source[at] ?? 0))
    }
    return decode.decode(Uint8Array.from(bytes))
  }
  for (const pair of Buffer.from(request.body).toString('latin1').split('&')) {
    if (!pair) continue
    const cut = pair.indexOf('=')
    fields.append(plain(cut < 0 ? pair : pair.slice(0, cut)), cut < 0 ? '' : plain(pair.slice(cut + 1)))
  }
  return fields
}
