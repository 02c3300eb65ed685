import { describe, expect, it } from 'vitest'
import { LoopTurns, Places } from './places.ts'

describe('places for costly work', () => {
  it('are no more than there are, and owners who wait take turns', async () => {
    const places = new Places(2)
    const order: string[] = []
    const ends: (() => void)[] = []
    let most = 0
    let now = 0
    const work = (owner: string) =>
      places.run(owner, async () => {
        order.push(owner)
        most = Math.max(most, ++now)
        await new Promise<void>((resolve) => ends.push(resolve))
        now--
      })
    const all = [...'aaaaaab'].map(work)
    for (let i = 0; i < 7; i++) {
      await expect.poll(() => ends.length).toBeGreaterThan(0)
      ends.shift()?.()
    }
    await Promise.all(all)
    expect([most, order.join('')]).toEqual([2, 'aabaaaa'])
  })

  it('are given back by work that fails', async () => {
    const places = new Places(1)
    await expect(places.run('a', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
    expect(await places.run('a', async () => 'done')).toBe('done')
  })
})

describe('turns of the loop', () => {
  it('let so many steps in at each of them, the lowest rank first, and everything else after them', async () => {
    const turns = new LoopTurns(2)
    const order: string[] = []
    const step = (name: string, rank: number) => turns.take(rank).then(() => order.push(name))
    const steps = [step('a', 5), step('b', 5), step('late', 9), step('c', 5), step('d', 5), step('first', 0)]
    for (let n = 1; n <= 2; n++) {
      await new Promise((resolve) => setImmediate(resolve))
      order.push('|')
    }
    await Promise.all(steps)
    expect(order.join(' ')).toBe('a b first c | d late |')
  })

  it('count anew once nobody took any', async () => {
    const turns = new LoopTurns(1)
    await turns.take()
    await new Promise((resolve) => setImmediate(resolve))
    await turns.take()
    expect(await Promise.race([turns.take().then(() => 'at once'), Promise.resolve('waits')])).toBe('waits')
  })
})
