import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
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

/** Where a cloud answers with the credentials of the machine, by IPv6: inside the private block, unlike its IPv4 twin. */
const METADATA_IPV6 = 'fd00:ec2::254'

/**
 * Whether an address is link-local, however it is written. No receiver lives there, and the metadata service of a cloud
 * does: it is refused though private addresses are allowed.
 */
export function isLinkLocal(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  const inner = (parsed instanceof ipaddr.IPv6 ? embeddedIPv4(parsed) : null) ?? parsed
  return inner.range() === 'linkLocal' || inner.toString() === METADATA_IPV6
}

/**
 * Whether an address is of this machine: loopback, unspecified (which dials it too), or of one of its interfaces, however
 * it is written.
 */
export function isThisMachine(address: string): boolean {
  if (isIP(address) === 0) return true
  const parsed = ipaddr.process(address)
  if (parsed.range() === 'loopback' || parsed.range() === 'unspecified') return true
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return own.some((one) => ipaddr.process(one.address).toString() === parsed.toString())
}

/** The port that a URL leads to, or what a connector is given of one. */
export function portOf({ port, protocol }: { readonly port: string; readonly protocol: string }): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
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
