import { afterEach, describe, expect, it } from 'vitest'
import { CALLS } from '../catalog/limits.ts'
import type { Mode } from '../catalog/modes.ts'
import { CallPlaces } from './call-places.ts'

const open: CallPlaces[] = []
afterEach(() => {
  for (const places of open.splice(0)) places.close()
})

/** Calls that last until they are told to end, and those that have begun, in order. */
function openPlaces() {
  const places = new CallPlaces()
  open.push(places)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    places,
    begun,
    call: (account_id: string, name = account_id, mode: Mode = 'test', gone?: () => boolean) =>
      places.run(
        { account_id, mode },
        async () => {
          begun.push(name)
          await new Promise<void>((resolve) => ends.set(name, resolve))
          return name
        },
        gone && { gone },
      ),
    end: async (name: string) => {
      ends.get(name)?.()
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    },
  }
}
const many = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('the calls of an account', () => {
  it('have all places while nobody else calls, and the least of them among many', async () => {
    const { places, call, begun } = openPlaces()
    for (const n of many(CALLS.places + 5)) void call('alone', `a${n}`)
    expect(begun).toHaveLength(CALLS.places)
    for (const n of many(30)) void call(`quiet ${n}`)
    expect(begun).toHaveLength(CALLS.places + 30)
    expect(places.share).toBe(CALLS.least)
  })

  it('wait in a line of their own, each in its turn, and delay nobody else', async () => {
    const { call, begun, end } = openPlaces()
    for (const n of many(10)) void call(`quiet ${n}`)
    for (const n of many(CALLS.least + 3)) void call('busy', `b${n}`)
    const own = () => begun.filter((name) => name.startsWith('b'))
    expect(own()).toEqual(['b0', 'b1', 'b2', 'b3'])
    void call('late')
    expect(begun.at(-1)).toBe('late')
    await end('b2')
    expect(own()).toEqual(['b0', 'b1', 'b2', 'b3', 'b4'])
    await end('quiet 1')
    expect(own()).toHaveLength(5)
  })

  it('429 rate_limited with Retry-After where too many wait, and live is apart from test', async () => {
    const { call, begun } = openPlaces()
    for (const _ of many(CALLS.places + CALLS.waiting)) void call('busy')
    await expect(call('busy')).rejects.toMatchObject({ code: 'rate_limited', retry_after_seconds: 1 })
    void call('busy', 'live', 'live')
    expect(begun.at(-1)).toBe('live')
  })

  it('are not begun once nobody waits for the answer, and give their place to the next', async () => {
    const { call, begun, end } = openPlaces()
    for (const n of many(CALLS.places)) void call('a', `a${n}`)
    const left = call('a', 'left', 'test', () => true)
    void call('a', 'next')
    await Promise.all([expect(left).rejects.toMatchObject({ code: 'request_timeout' }), end('a0')])
    await expect.poll(() => begun.at(-1)).toBe('next')
    expect(begun).not.toContain('left')
  })

  it('grow again once the others are gone', async () => {
    const { places, call, end } = openPlaces()
    void call('a')
    void call('b')
    expect(places.share).toBe(CALLS.places / 2)
    await end('b')
    places.look()
    expect(places.share).toBe(CALLS.places / 2)
    places.look()
    expect(places.share).toBe(CALLS.places)
  })
})
