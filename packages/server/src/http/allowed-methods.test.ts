import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../test/support/world.ts'
import { OPERATIONS } from '../operations.ts'
import { AllowedMethods } from './allowed-methods.ts'
import { routesOf } from './routes.ts'

describe('the methods of an address', () => {
  const allowed = new AllowedMethods(
    [
      { path: '/things', methods: ['GET'] },
      { path: '/things', methods: ['POST'] },
      { path: '/things/:id', methods: ['GET', 'HEAD'] },
      { path: '/things/search', methods: ['POST'] },
    ],
    { ignoreTrailingSlash: false, maxParamLength: 500 },
  )

  it.each([
    ['PUT', '/things?a=1', ['GET', 'POST']],
    ['PUT', '/things/7', ['GET', 'HEAD']],
    ['PUT', '/things/se%61rch', ['POST']],
    ['PUT', '/nothing', null],
    ['TRACE', '/things', null],
  ])('%s %s: %j', (method, url, methods) => {
    expect(allowed.at(method, url)).toEqual(methods)
  })

  it('are told apart from those of an address with a parameter in its place', () => {
    expect(allowed.shadowed()).toEqual([{ path: '/things/search', methods: ['POST'], shadowed: ['GET', 'HEAD'] }])
  })
})

describe('every operation', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  it('refuses each method that its address does not take, with those that it does', async () => {
    const byPath = new Map<string, string[]>()
    for (const { path, operation } of routesOf(OPERATIONS)) {
      byPath.set(path, [...(byPath.get(path) ?? []), operation.method])
    }
    for (const [path, methods] of byPath) {
      const url = path.replace(/\{\w+\}/g, 'x')
      for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']) {
        if (methods.includes(method)) continue
        const { statusCode, headers } = await world.app.http.inject({ method: method as 'GET', url })
        const allow = String(headers.allow).split(', ')
        expect([method, url, statusCode, allow]).toEqual([method, url, 405, expect.arrayContaining(methods)])
      }
    }
  })
})
