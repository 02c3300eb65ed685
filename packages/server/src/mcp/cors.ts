import { HEADERS } from '../catalog/headers.ts'

type Header = (name: string) => string | undefined

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const hostIn = (address: string) => (URL.canParse(address) ? new URL(address).hostname : '')

/**
 * Whether a request comes from a page of another site, which must not speak for the owner of the browser (DNS
 * rebinding). Such a page cannot claim a loopback origin: a tool that its owner runs there can, such as an inspector.
 */
export function foreignOriginCheck(public_url: string): (header: Header) => boolean {
  let ours: URL | null = null
  return (header) => {
    ours ??= new URL(public_url)
    const origin = header('origin')
    if (origin !== undefined && origin !== ours.origin && !LOOPBACK.test(hostIn(origin))) return true
    const host = header('host') ?? ''
    if (host === ours.host || !LOOPBACK.test(ours.hostname)) return false
    // On a developer's machine, a name that leads here and is not ours is somebody else's.
    return !LOOPBACK.test(hostIn(`http://${host}`))
  }
}

const EXPOSED_HEADERS = [
  'WWW-Authenticate',
  HEADERS.request_id,
  HEADERS.retry_after,
  HEADERS.rate_limit,
  HEADERS.rate_remaining,
  HEADERS.rate_reset,
].join(', ')

/** Lets a page of an allowed origin read the answer (Fetch, CORS). */
export function corsHeaders(header: Header): Record<string, string> {
  const origin = header('origin')
  if (origin === undefined) return {}
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED_HEADERS, Vary: 'Origin' }
}

export const PREFLIGHT: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Accept, Authorization, Content-Type, MCP-Protocol-Version, Mcp-Session-Id',
  'Access-Control-Max-Age': '3600',
}
