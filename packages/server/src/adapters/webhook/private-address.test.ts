import { afterAll, describe, expect, it } from 'vitest'
import { isPrivateAddress } from './private-address.ts'
import { httpWebhookSender } from './sender.ts'

const strict = httpWebhookSender({ allow_private: false })
afterAll(() => strict.close())

/** A host as someone would write it, in the spelling the URL parser leaves. */
const forbidden = (host: string) => strict.forbids(new URL(`http://${host}/`).hostname)

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

  it('is none at all on a machine where receivers live beside the service', async () => {
    const local = httpWebhookSender({ allow_private: true })
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1']) expect(local.forbids(host)).toBe(false)
    await local.close()
  })
})

describe('an address that was resolved', () => {
  it('is judged with its zone, and refused when it is no address at all', () => {
    expect(isPrivateAddress('fe80::1%eth0')).toBe(true)
    expect(isPrivateAddress('::ffff:192.168.0.1')).toBe(true)
    expect(isPrivateAddress('not an address')).toBe(true)
    expect(isPrivateAddress('93.184.215.14')).toBe(false)
  })
})
