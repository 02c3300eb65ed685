import { afterAll, describe, expect, it } from 'vitest'
import { isPrivateAddress } from './private-address.ts'
import { httpWebhookSender } from './sender.ts'

const strict = httpWebhookSender({ allow_private: false })
afterAll(() => strict.close())

/** A host as someone would write it, in the spelling the URL parser leaves. */
const forbidden = (host: string) => strict.forbids(new URL(`http://${host}/`))

describe('a host that is never connected to', () => {
  const spellings = {
    loopback: ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', '①②⑦.⓪.⓪.①', '[::1]'],
    'this machine by name': ['localhost', 'LOCALHOST', 'localhost.', 'api.localhost'],
    private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '[fd00::1]', '[fc00::]', '0xA000001'],
    'link-local and metadata': ['169.254.169.254', '169.254.1.1', '[fe80::1]', '2852039166', '[fd00:ec2::254]'],
    unspecified: ['0.0.0.0', '0', '[::]'],
    'shared by carriers': ['100.64.0.1', '100.127.255.254'],
    'multicast and reserved': ['224.0.0.1', '239.255.255.255', '255.255.255.255', '240.0.0.1', '[ff02::1]'],
    'written for documentation and tests': ['192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '[2001:db8::1]'],
    'IPv4 inside IPv6': [
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::ffff:169.254.169.254]',
      '[0:0:0:0:0:ffff:a00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::10.0.0.1]',
      '[64:ff9b:1::1]',
      '[2002:7f00:1::]',
      '[2002:c0a8:101::1]',
      '[2001:0:7f00:1::]',
    ],
  }
  for (const [what, hosts] of Object.entries(spellings)) {
    it(`is ${what}, however it is written`, () => {
      expect(hosts.filter((host) => !forbidden(host))).toEqual([])
    })
  }

  it('is not a public one', () => {
    const open = ['example.cl', '8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '[2606:4700::1111]', 'localhost.cl']
    expect(open.filter(forbidden)).toEqual([])
    expect(forbidden('[64:ff9b::8.8.8.8]')).toBe(false)
    expect(forbidden('[2002:808:808::1]')).toBe(false)
    expect(forbidden('[::ffff:8.8.8.8]')).toBe(false)
  })

  it('is only link-local on a machine where receivers live beside the service: there the metadata of a cloud is', async () => {
    const local = httpWebhookSender({ allow_private: true })
    const refused = (host: string) => local.forbids(new URL(`http://${host}/`))
    expect(['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', '[fd00::1]'].filter(refused)).toEqual([])
    const { 'link-local and metadata': hosts } = spellings
    const carried = ['[::ffff:169.254.169.254]', '[64:ff9b::169.254.169.254]', '[2002:a9fe:a9fe::1]']
    expect([...hosts, ...carried].filter((host) => !refused(host))).toEqual([])
    await local.close()
  })

  it('is link-local too when a name stands for it', async () => {
    const resolve = async () => [{ address: '169.254.169.254', family: 4 }]
    const local = httpWebhookSender({ allow_private: true, resolve })
    const request = { url: 'http://receiver.test/', headers: {}, body: Buffer.alloc(0) }
    await expect(local.post(request)).resolves.toMatchObject({ failure: 'address_not_allowed' })
    await local.close()
  })
})

// The special-purpose registries of IANA (RFC 6890), multicast, and what was special once.
const SPECIAL = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.0.0/29',
  '192.0.0.8/32',
  '192.0.0.9/32',
  '192.0.0.10/32',
  '192.0.0.170/31',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  '::/128',
  '::1/128',
  '::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001::/32',
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:1::3/128',
  '2001:2::/48',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:30::/28',
  '2001:db8::/32',
  '2620:4f:8000::/48',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]
/** Prefixes under which an IPv4 address travels, and that of 6to4, which carries it in the middle. */
const CARRIERS = ['::ffff:', '::ffff:0:', '64:ff9b::']
const hex = (v4: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number)
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}

/** The first address of a block and its last, worked out here and not by the code under test. */
function edgesOf(block: string): { first: string; last: string } {
  const [address = '', bits] = block.split('/')
  const v4 = address.includes('.')
  const [left = '', right = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const parts = v4 ? address.split('.').map(Number) : groups(left)
  const tail = v4 ? [] : groups(right)
  const width = v4 ? 8 : 16
  const count = v4 ? 4 : 8
  const all = [...parts, ...Array<number>(count - parts.length - tail.length).fill(0), ...tail]
  const last = all.map((part, i) => {
    const free = Math.min(width, Math.max(0, (i + 1) * width - Number(bits)))
    return part | (2 ** free - 1)
  })
  const write = (values: number[]) => (v4 ? values.join('.') : values.map((value) => value.toString(16)).join(':'))
  return { first: write(all), last: write(last) }
}

describe('an address that was resolved', () => {
  it('is checked with its zone, and refused when it is no address at all', () => {
    expect(isPrivateAddress('fe80::1%eth0')).toBe(true)
    expect(isPrivateAddress('::ffff:192.168.0.1')).toBe(true)
    expect(isPrivateAddress('not an address')).toBe(true)
    expect(isPrivateAddress('93.184.215.14')).toBe(false)
  })

  it.each(SPECIAL)('is refused from the first to the last of %s', (block) => {
    const { first, last } = edgesOf(block)
    expect([first, isPrivateAddress(first)]).toEqual([first, true])
    expect([last, isPrivateAddress(last)]).toEqual([last, true])
  })

  it('is refused for the IPv4 address that it carries, whatever carries it', () => {
    const inner = SPECIAL.filter((block) => block.includes('.')).flatMap((block) => Object.values(edgesOf(block)))
    const carried = inner.flatMap((v4) => [...CARRIERS.map((prefix) => prefix + v4), `2002:${hex(v4)}::1`])
    expect(carried.filter((address) => !isPrivateAddress(address))).toEqual([])
    const open = [...CARRIERS.map((prefix) => `${prefix}8.8.8.8`), `2002:${hex('8.8.8.8')}::1`]
    expect(open.filter(isPrivateAddress)).toEqual([])
  })

  it('is let through right beside the blocks that are refused', () => {
    const open = [
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
    ]
    open.push(
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.0',
      '192.0.3.0',
      '192.167.255.255',
    )
    open.push('192.169.0.0', '198.17.255.255', '198.20.0.0', '203.0.112.255', '203.0.114.0', '223.255.255.255')
    open.push('2001:200::', '2001:db7:ffff::', '2001:db9::', '2003::', '3ffe:ffff::', '2606:4700::1111')
    expect(open.filter(isPrivateAddress)).toEqual([])
  })

  it('is refused outside what is handed out to anybody', () => {
    expect(['1::1', '4000::1', '8000::1', '::1:0:0:1'].filter((address) => !isPrivateAddress(address))).toEqual([])
  })
})
