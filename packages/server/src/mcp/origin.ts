import { HEADERS } from '../catalog/headers.ts'

type Header = (name: string) => string | undefined

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const hostIn = (address: string) => (URL.canParse(address) ? new URL(address).hostname : '')

/**
 * A page of another site that a browser on this machine shows must not speak for its owner (DNS rebinding). Such a page
 * cannot say that it comes from the machine itself: what does is a tool that its owner runs there, such as an inspector.
 */
export function foreigners(public_url: string): (header: Header) => boolean {
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

const READABLE = [
  'WWW-Authenticate',
  HEADERS.request_id,
  HEADERS.retry_after,
  HEADERS.rate_limit,
  HEADERS.rate_remaining,
  HEADERS.rate_reset,
].join(', ')

/** What a browser asks for before it lets a page of an origin that may speak read the answer (Fetch, CORS). */
export function originHeaders(header: Header): Record<string, string> {
  const origin = header('origin')
  if (origin === undefined) return {}
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': READABLE, Vary: 'Origin' }
}

export const PREFLIGHT: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Accept, Authorization, Content-Type, MCP-Protocol-Version, Mcp-Session-Id',
  'Access-Control-Max-Age': '3600',
}
