import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { runAdaptively } from './adaptive-concurrency.ts'

const CONCURRENCY = { first: 4, most: 4, start_within_ms: 60_000 }

/** Does things and keeps count of how many are under way. */
function watch(step: (item: number) => Promise<boolean>) {
  const seen: number[] = []
  const widths: number[] = []
  let underway = 0
  const watched = async (item: number) => {
    seen.push(item)
    widths.push(++underway)
    await sleep(2)
    return step(item).finally(() => underway--)
  }
  return { seen, widths, watched }
}

const numbers = Array.from({ length: 12 }, (_, i) => i)

describe('adaptive concurrency', () => {
  it('does everything, in order, and never more at a time than allowed', async () => {
    const { seen, widths, watched } = watch(async () => true)
    expect(await runAdaptively(numbers, watched, CONCURRENCY)).toEqual([])
    expect(seen).toEqual(numbers)
    expect(Math.max(...widths)).toBe(4)
  })

  it('starts with one where there was trouble before, and widens with the first success', async () => {
    const { widths, watched } = watch(async () => true)
    await runAdaptively(numbers, watched, { ...CONCURRENCY, first: 1 })
    expect([widths[0], Math.max(...widths.slice(1))]).toEqual([1, 4])
  })

  it('goes on one by one once something went wrong', async () => {
    const { widths, watched } = watch(async () => false)
    expect(await runAdaptively(numbers, watched, CONCURRENCY)).toEqual([])
    expect(Math.max(...widths.slice(4))).toBe(1)
  })

  it('gives back what it could not start in time', async () => {
    const { seen, watched } = watch(async () => {
      await sleep(30)
      return true
    })
    const left = await runAdaptively(numbers, watched, { ...CONCURRENCY, start_within_ms: 10 })
    expect([seen, left]).toEqual([numbers.slice(0, 4), numbers.slice(4)])
  })

  it('has nothing to do without items', async () => {
    expect(await runAdaptively([], async () => true, CONCURRENCY)).toEqual([])
  })
})
