import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Sql } from './db.ts'
import { type AnswerMany, inStep, openSteps, sideBySide } from './in-step.ts'

/** A way to the database that nobody takes here: it is told apart by its name. */
const way = (name: string) => Object.assign((async () => []) as Sql, { title: name })

/** Lanes that walk in step, and what was asked for, over which way. */
function open() {
  const asked: { over: string; items: readonly number[] }[] = []
  const join = openSteps(way('shared'))
  const double: AnswerMany<number, number> = async (sql, items) => {
    asked.push({ over: (sql as unknown as { title: string }).title, items })
    if (items.length > 1 && items.includes(13)) throw new Error('one of them is wrong')
    if (items[0] === 13) throw new Error('13 is wrong')
    return items.map((item) => 2 * item)
  }
  const lanes = Array.from({ length: 40 }, (_, i) => join(way(`own ${i}`)))
  const ask = (lane: number, item: number) => inStep(lanes[lane] as Sql, double, item)
  return { asked, ask }
}

describe('what lanes ask for in step', () => {
  it('is asked for once by all who ask it in the same turn, and each has its own answer, step after step', async () => {
    const { asked, ask } = open()
    const walk = async (lane: number) => ask(lane, await ask(lane, lane))
    expect(await Promise.all([0, 1, 2].map(walk))).toEqual([0, 4, 8])
    expect(asked).toEqual([
      { over: 'shared', items: [0, 1, 2] },
      { over: 'shared', items: [0, 2, 4] },
    ])
  })

  it('is asked for over its own way by one who asks alone, and at once where there is nobody to walk with', async () => {
    const { asked, ask } = open()
    expect(await ask(3, 5)).toBe(10)
    expect(asked).toEqual([{ over: 'own 3', items: [5] }])
    const triple: AnswerMany<number, number> = async (_, items) => items.map((item) => 3 * item)
    expect(await inStep(way('alone'), triple, 4)).toBe(12)
  })

  it('is asked for by each alone where it fails for all of them, so that one who is wrong fails alone', async () => {
    const { asked, ask } = open()
    const ends = await Promise.allSettled([ask(0, 1), ask(1, 13), ask(2, 3)])
    expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason.message))).toEqual([
      2,
      '13 is wrong',
      6,
    ])
    expect(asked.map(({ over }) => over)).toEqual(['shared', 'own 0', 'own 1', 'own 2'])
  })

  it('does not wait for one who comes later', async () => {
    const { asked, ask } = open()
    const first = ask(0, 1)
    expect(await first).toBe(2)
    expect(await ask(1, 2)).toBe(4)
    expect(asked.map(({ items }) => items)).toEqual([[1], [2]])
  })

  it('is never asked for more than sixteen at once', async () => {
    const { asked, ask } = open()
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => ask(i, 100 + i)))
    expect(answers).toEqual(Array.from({ length: 40 }, (_, i) => 200 + 2 * i))
    expect(asked.map(({ items }) => items.length)).toEqual([16, 16, 8])
  })
})

describe('work that lanes do side by side', () => {
  it('is answered when the last of it is done, and one that fails fails alone', async () => {
    const done: string[] = []
    const later = async (name: string) => {
      for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve))
      done.push(name)
      return name
    }
    const failing = later('b').then(() => Promise.reject(new Error('b failed')))
    const work = await sideBySide([Promise.resolve('a'), failing, later('c')])
    expect(done).toEqual(['b', 'c'])
    expect((await Promise.allSettled(work)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('is not waited for where one of it takes long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const work = sideBySide([Promise.resolve('quick'), new Promise<string>(() => undefined)])
    vi.runAllTimers()
    const [quick, slow] = await work
    expect(await quick).toBe('quick')
    expect(await Promise.race([slow, Promise.resolve('still at it')])).toBe('still at it')
  })
})
