import { describe, expect, it } from 'vitest'
import { BUCKETS, type BucketName } from '../catalog/limits.ts'
import { networkOf } from './network.ts'
import { windowOf } from './rate-limit.ts'

describe('the network that an address is counted by', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['64:ff9b::203.0.113.7', '203.0.113.7'],
    ['2002:cb00:7107::1', '203.0.113.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['not an address', 'not an address'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it('is what every limit by address counts, and no other limit', () => {
    for (const name of Object.keys(BUCKETS) as BucketName[]) {
      const [one, other] = [windowOf(name, '2001:db8::1'), windowOf(name, '2001:db8::2')]
      expect([name, one.key === other.key]).toEqual([name, BUCKETS[name].counted_by === 'ip'])
    }
  })
})
