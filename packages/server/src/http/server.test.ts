import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefused, PROBED } from '../../test/support/request-probe.ts'
import { openWorld, type World } from '../../test/support/world.ts'

let world: World
let key: string
beforeAll(async () => {
  world = await openWorld({ operations: PROBED })
  key = await world.key(await world.account())
})
afterAll(() => world.close())

describe('a hostile address', () => {
  it.each([
    ['/v1/probe/%', 400, 'invalid_url'],
    ['/v1/probe/%ff%fe', 400, 'invalid_url'],
    ['/v1/probe/%c0%ae%c0%ae', 400, 'invalid_url'],
    ['/v1/probe/a%00b', 400, 'invalid_field'],
    ['/v1/probe/a%1b%5b2J', 400, 'invalid_field'],
    ['/v1/probe/x?limit=1e999', 400, 'invalid_field'],
    ['/v1/probe/x?limit=0x10', 400, 'invalid_field'],
    ['/v1/probe/x?limit=-1', 400, 'invalid_field'],
    ['/v1/probe/x?limit=1&limit=2', 400, 'invalid_field'],
    ['/v1/probe/x?cursor=%00', 400, 'invalid_field'],
    ['/v1/probe/x?__proto__=1', 400, 'invalid_field'],
    ['/v1/probe/x?nonsense=1', 400, 'invalid_field'],
    ['/v1/../v1/etc/passwd', 404, 'route_not_found'],
    ['/v1/..%2f..%2fetc%2fpasswd', 404, 'route_not_found'],
    ['/v1//probe/x', 404, 'route_not_found'],
    ['/v1/probe/x/', 404, 'route_not_found'],
    [`/v1/probe/${'a'.repeat(600)}`, 400, 'invalid_url'],
    ['/.env', 404, 'route_not_found'],
    ['/V1/probe/x', 404, 'route_not_found'],
  ])('%s', async (path, status, code) => {
    await expectRefused(world, await world.post(path, { key, body: { note: 'a' } }), status, code)
  })

  it('is told in the envelope of /account only below /account', async () => {
    expect((await world.get('/account/nothing')).body.errors).toEqual(['route_not_found'])
    expect((await world.get('/accounting')).body.error.code).toBe('route_not_found')
  })
})

describe('every answer', () => {
  it('405 method_not_allowed names the methods that work', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) {
      const sent = await world.call(method, '/v1/api_keys', { key })
      expect([method, sent.status, sent.headers.allow]).toEqual([method, 405, 'GET, POST'])
    }
  })

  it('carries Sunset and Deprecation on an operation that goes away, also when it refuses', async () => {
    for (const sent of [await world.get('/v1/probe_old', { key }), await world.get('/v1/probe_old')]) {
      expect(sent.headers.sunset).toBe('Fri, 31 Dec 2027 00:00:00 GMT')
      expect(sent.headers.deprecation).toBe('true')
    }
    expect((await world.get('/v1/account', { key })).headers.sunset).toBeUndefined()
  })

  it('is never cached and names its request, errors of the router included', async () => {
    for (const path of ['/v1/account', '/v1/nothing', '/v1/probe/%', '/account/nothing']) {
      const { headers } = await world.get(path, { key })
      expect([path, headers['cache-control']]).toEqual([path, 'no-store'])
      expect(headers['svc-request-id']).toMatch(/^req_[0-9a-z]{26}$/)
    }
  })
})
