import { describe, expect, it, vi } from 'vitest'
import { ConnectionShares, ShareExhausted } from './connection-shares.ts'

/** Work that goes on until it is ended, and who has begun. */
function openProbe(size: number, wait_ms?: number) {
  const shares = new ConnectionShares(size, wait_ms)
  const running: { readonly owner: string; readonly end: () => void }[] = []
  const runningOf = (owner: string) => running.filter((one) => one.owner === owner).length
  const begin = (owner: string, mode = 'test') => {
    const work = shares.run({ account_id: owner, mode }, () => new Promise<void>((end) => running.push({ owner, end })))
    // Most wait for longer than their test.
    work.catch(() => undefined)
    return work
  }
  const endOne = async (owner: string) => {
    const [one] = running.splice(
      running.findIndex((each) => each.owner === owner),
      1,
    )
    one?.end()
    await new Promise(setImmediate)
  }
  return { shares, begin, runningOf, endOne }
}

describe('the connections of a pool', () => {
  it('are for one account a third of them, and a newcomer finds one beside as many as flood', async () => {
    const { begin, runningOf } = openProbe(10)
    for (let i = 0; i < 20; i++) void begin('flood')
    expect(runningOf('flood')).toBe(4)
    for (let i = 0; i < 20; i++) void begin('another')
    expect(runningOf('another')).toBe(2)
    for (const name of ['a', 'b', 'c', 'd']) void begin(name)
    expect(['a', 'b', 'c', 'd'].map(runningOf)).toEqual([1, 1, 1, 1])
  })

  it('go, as they come free, first to the account that holds the fewest', async () => {
    const { begin, runningOf, endOne } = openProbe(2)
    for (let i = 0; i < 3; i++) void begin('flood')
    void begin('other')
    void begin('late')
    expect([runningOf('flood'), runningOf('other'), runningOf('late')]).toEqual([1, 1, 0])
    await endOne('other')
    expect([runningOf('flood'), runningOf('late')]).toEqual([1, 1])
  })

  it('are counted apart in test and live, and not at all where the work is nobody’s', async () => {
    const { shares, begin, runningOf } = openProbe(10)
    for (let i = 0; i < 20; i++) void begin('acc', 'test')
    void begin('acc', 'live')
    expect(runningOf('acc')).toBe(5)
    expect(await shares.run({ account_id: null, mode: null }, async () => 'done')).toBe('done')
  })

  it('are lent one by one to a line that does not move, which may wait for itself, and never the last two', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { begin, runningOf } = openProbe(10)
      for (let i = 0; i < 20; i++) void begin('flood')
      expect(runningOf('flood')).toBe(4)
      await vi.advanceTimersByTimeAsync(600)
      expect(runningOf('flood')).toBe(5)
      await vi.advanceTimersByTimeAsync(10_000)
      expect(runningOf('flood')).toBe(8)
      void begin('other')
      expect(runningOf('other')).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('are refused to the account whose line did not move in time, and to no other', async () => {
    const { begin, runningOf } = openProbe(3, 0)
    const all = Array.from({ length: 5 }, () => begin('flood'))
    const settled = Promise.allSettled(all.slice(1))
    expect(runningOf('flood')).toBe(1)
    const ends = await settled
    expect(ends.map((end) => end.status === 'rejected' && end.reason instanceof ShareExhausted)).toEqual(
      Array(4).fill(true),
    )
    void begin('other')
    expect(runningOf('other')).toBe(1)
  })

  it('come back when the work fails', async () => {
    const { shares, begin, runningOf } = openProbe(1)
    await expect(shares.run({ account_id: 'a', mode: 'test' }, () => Promise.reject(new Error('no')))).rejects.toThrow()
    void begin('a')
    expect(runningOf('a')).toBe(1)
  })
})
