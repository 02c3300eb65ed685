import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { embeddedIPv4 } from '../../kernel/network.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

// The library knows the special-purpose registries of IANA by name. What they do not name is public only inside the
// block that is handed out at all: `::127.0.0.1` is in no registry, and no stranger's server is there.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

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
