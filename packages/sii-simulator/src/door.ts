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
  /** What stands before it in the addresses of this host's own pages. */
  base: string
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
