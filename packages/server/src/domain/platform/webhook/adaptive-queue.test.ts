import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { AdaptiveQueue } from './adaptive-queue.ts'

const WIDTH = { first: 4, most: 4 }

/** Does things and keeps count of how many are under way. */
function watch(went_well: (item: number) => boolean) {
  const seen: number[] = []
  const widths: number[] = []
  let underway = 0
  const step = async (item: number) => {
    seen.push(item)
    widths.push(++underway)
    await sleep(2)
    underway--
    return went_well(item)
  }
  return { seen, widths, step }
}

async function emptied(queue: AdaptiveQueue<number>): Promise<void> {
  await expect.poll(() => queue.idle).toBe(true)
}

const numbers = Array.from({ length: 12 }, (_, i) => i)

describe('an adaptive queue', () => {
  it('does everything, in order, and never more at a time than allowed, however many add to it', async () => {
    const { seen, widths, step } = watch(() => true)
    const queue = new AdaptiveQueue(step, WIDTH)
    queue.add(numbers.slice(0, 6))
    queue.add(numbers.slice(6))
    await emptied(queue)
    expect(seen).toEqual(numbers)
    expect(Math.max(...widths)).toBe(4)
  })

  it('starts with a few while nothing is known, and widens with the first success', async () => {
    const { widths, step } = watch(() => true)
    const queue = new AdaptiveQueue(step, { first: 2, most: 4 })
    queue.add(numbers)
    await emptied(queue)
    expect([Math.max(...widths.slice(0, 2)), Math.max(...widths.slice(2))]).toEqual([2, 4])
  })

  it('starts with one where there was trouble before, and widens with the first success', async () => {
    const { seen, widths, step } = watch(() => true)
    const queue = new AdaptiveQueue(step, WIDTH)
    queue.restrain()
    queue.add(numbers)
    expect(seen).toEqual([0])
    await emptied(queue)
    expect(Math.max(...widths)).toBe(4)
  })

  it('goes on one by one once something went wrong', async () => {
    const { widths, step } = watch(() => false)
    const queue = new AdaptiveQueue(step, WIDTH)
    queue.add(numbers)
    await emptied(queue)
    expect(Math.max(...widths.slice(4))).toBe(1)
  })

  it('passes over what there is nothing to do for, and learns nothing from it', async () => {
    const { seen, widths, step } = watch(() => false)
    const queue = new AdaptiveQueue((item: number) => (item % 2 === 0 ? null : step(item)), WIDTH)
    queue.add(numbers)
    await emptied(queue)
    expect(seen).toEqual(numbers.filter((item) => item % 2 === 1))
    expect(Math.max(...widths.slice(4))).toBe(1)
  })

  it('tells when there is room for more', async () => {
    const { seen, step } = watch(() => true)
    const more = [4, 5, 6]
    const queue: AdaptiveQueue<number> = new AdaptiveQueue(step, WIDTH, () => {
      if (queue.waiting === 0 && more.length > 0) queue.add(more.splice(0, 1))
    })
    queue.add([1, 2, 3])
    await expect.poll(() => seen).toEqual([1, 2, 3, 4, 5, 6])
  })
})
