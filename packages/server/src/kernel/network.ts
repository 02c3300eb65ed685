import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** Half of an IPv6 address: the smallest network that a provider hands out (RFC 6177, RFC 7421). */
const NETWORK_BYTES = 8

/** An IPv4 address that travels inside an IPv6 one: mapped, translated, NAT64 or 6to4. It counts for what it is. */
export function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const range = address.range()
  const bytes = address.toByteArray()
  if (range === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6))
  const ends = range === 'ipv4Mapped' || range === 'rfc6145' || address.match(NAT64)
  return ends ? new ipaddr.IPv4(bytes.slice(12)) : null
}

/** Of an IPv6 address what one site is given (RFC 6177). */
const SITE_BYTES = 6

/** The wider network of an address: the /24 of an IPv4 one and the /48 of an IPv6 one, which often have a single owner. */
export function siteOf(address: string): string {
  if (isIP(address) === 0) return address
  const parsed = ipaddr.parse(address)
  const four = parsed instanceof ipaddr.IPv4 ? parsed : embeddedIPv4(parsed)
  if (four) return `${new ipaddr.IPv4(four.toByteArray().fill(0, 3)).toString()}/24`
  return `${new ipaddr.IPv6(parsed.toByteArray().fill(0, SITE_BYTES)).toString()}/48`
}

/**
 * Whom an address stands for wherever callers are counted by it: an IPv4 address itself, and of an IPv6 one its /64, in
 * which a single subscriber has more addresses than any limit could count. What is no address stays as it is.
 */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return address
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const embedded = embeddedIPv4(parsed)
  if (embedded) return embedded.toString()
  const network = parsed.toByteArray().fill(0, NETWORK_BYTES)
  return `${new ipaddr.IPv6(network).toString()}/64`
}
