import { isSiiHost, type SiiHost } from './hosts.ts'

export type Address =
  | {
      kind: 'sii'
      host: SiiHost
      path: string
      /** What stands before the path: the segment that names the host, or nothing. */
      base: string
      raw_query: string
      origin: (host: SiiHost) => string
    }
  | { kind: 'own'; path: string; raw_query: string }

/**
 * Which host of the SII a request is for: the first segment of its path names it, or else its `Host` header does, as
 * when a client's name resolution was pointed here. Anything else is the simulator's own (page and control).
 */
export function addressOf(url: string, hostHeader: string, scheme: 'http' | 'https'): Address {
  const cut = url.indexOf('?')
  const whole = cut < 0 ? url : url.slice(0, cut)
  const raw_query = cut < 0 ? '' : url.slice(cut + 1)
  const [, first = ''] = whole.split('/', 2)
  if (isSiiHost(first)) {
    const origin = (host: SiiHost) => `${scheme}://${hostHeader}/${host}`
    return {
      kind: 'sii',
      host: first,
      path: whole.slice(first.length + 1) || '/',
      base: `/${first}`,
      raw_query,
      origin,
    }
  }
  const name = hostHeader.replace(/:\d+$/, '').toLowerCase()
  const port = hostHeader.slice(name.length)
  if (isSiiHost(name)) {
    return { kind: 'sii', host: name, path: whole, base: '', raw_query, origin: (host) => `${scheme}://${host}${port}` }
  }
  return { kind: 'own', path: whole, raw_query }
}
