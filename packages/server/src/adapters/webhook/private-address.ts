import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

// The library knows the special-purpose registries of IANA by name. What they do not name is public only inside the
// block that is handed out at all: `::127.0.0.1` is in no registry, and no stranger's server is there.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** An IPv4 address that travels inside an IPv6 one: mapped, translated, NAT64 or 6to4. It counts for what it is. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const range = address.range()
  const bytes = address.toByteArray()
  if (range === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6))
  const ends = range === 'ipv4Mapped' || range === 'rfc6145' || address.match(NAT64)
  return ends ? new ipaddr.IPv4(bytes.slice(12)) : null
}

function isPublic(address: Address): boolean {
  if (address.range() === 'unicast') return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST)
  const embedded = address instanceof ipaddr.IPv6 ? embeddedIPv4(address) : null
  return embedded?.range() === 'unicast'
}

/** Whether an IP address lies outside the public internet: private, loopback, link-local, multicast, reserved. */
export function isPrivateAddress(address: string): boolean {
  // The library reads `127.1` and `0x7f.1` too; an address that was resolved is never written so.
  return isIP(address) === 0 || !isPublic(ipaddr.parse(address))
}

/** The address a host is written as in a URL, or null for a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? null : bare
}

/** Names that mean this machine wherever they are looked up (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname)
}
