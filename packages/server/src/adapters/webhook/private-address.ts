import { BlockList, isIPv4, isIPv6 } from 'node:net'

// The special-purpose registries of IANA: whatever is not the public internet.
const PRIVATE_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
const PRIVATE_V6 = [
  '::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

const blocked = new BlockList()
for (const [family, nets] of [
  ['ipv4', PRIVATE_V4],
  ['ipv6', PRIVATE_V6],
] as const) {
  for (const net of nets) {
    const [address = '', bits] = net.split('/')
    blocked.addSubnet(address, Number(bits), family)
  }
}

/** The eight groups of an IPv6 address. The URL parser writes every spelling the same way, so one reading is enough. */
function groupsOf(address: string): number[] {
  const bare = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [left = '', right] = bare.split('::')
  const read = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [head, tail] = [read(left), read(right ?? '')]
  return right === undefined ? head : [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** An IPv4 address that travels inside an IPv6 one: mapped, translated (NAT64) or 6to4. It is judged for what it is. */
function wrapped(address: string): string | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groupsOf(address)
  if (a === 0x2002) return dotted(b, c)
  const middle = c === 0 && d === 0
  if (a === 0 && b === 0 && middle && e === 0 && f === 0xffff) return dotted(g, h)
  if (a === 0 && b === 0 && middle && e === 0xffff && f === 0) return dotted(g, h)
  if (a === 0x64 && b === 0xff9b && middle && e === 0 && f === 0) return dotted(g, h)
  return null
}

/** Whether an IP address lies outside the public internet: private, loopback, link-local, multicast, reserved. */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return blocked.check(address, 'ipv4')
  if (!isIPv6(address)) return true
  const inner = wrapped(address)
  return inner === null ? blocked.check(address.replace(/%.*$/, ''), 'ipv6') : blocked.check(inner, 'ipv4')
}

/** The address a host is written as in a URL, or null for a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIPv4(bare) || isIPv6(bare) ? bare : null
}

/** Names that mean this machine wherever they are looked up (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname)
}
