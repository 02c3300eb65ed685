import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../test/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('GET /v1/account', () => {
  it('200 shows the account with the key in use', async () => {
    const account = await world.account()
    const key = await world.key(account)
    const sent = await world.get('/v1/account', { key })
    expect(sent.status).toBe(200)
    expect(sent.body.id).toBe(account)
    expect(sent.body.key.last4).toBe(key.slice(-4))
    expect(sent.headers['ratelimit-limit']).toBe('300')
  })
})
