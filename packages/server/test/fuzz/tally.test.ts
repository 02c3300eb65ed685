import { describe, expect, it } from 'vitest'
import { Tally } from './tally.ts'

const quick = { wall_ms: 5, cpu_ms: 5 }
const answer = (status: number, text: string, type = 'application/json') => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(text),
})
function wrongOf(work: (tally: Tally) => void): string[] {
  const tally = new Tally()
  work(tally)
  return tally.findings().map(({ wrong }) => wrong)
}

describe('what the fuzz complains of', () => {
  it('is a failure of ours, whatever its status, and not the failure of another that was declared', () => {
    expect(wrongOf((tally) => tally.judge('a', 'x', answer(500, '{}')))).toHaveLength(1)
    expect(wrongOf((tally) => tally.judge('a', 'x', answer(500, '{}'), true))).toHaveLength(1)
    expect(wrongOf((tally) => tally.judge('a', 'x', answer(502, '{}')))).toHaveLength(1)
    expect(wrongOf((tally) => tally.judge('a', 'x', answer(200, '{"error":{"code":-32603}}')))).toHaveLength(1)
    expect(wrongOf((tally) => tally.judge('a', 'x', answer(502, '{}'), true))).toEqual([])
    expect(wrongOf((tally) => tally.judge('a', 'x', answer(404, '{}')))).toEqual([])
  })

  it('is an error of more than eight kilobytes, or a page of more than thirty-two', () => {
    const [long, page] = ['x'.repeat(8 * 1024 + 1), 'x'.repeat(32 * 1024 + 1)]
    expect(wrongOf((tally) => tally.judge('a', 'x', answer(400, long)))).toEqual(['an error of 8193 bytes'])
    expect(wrongOf((tally) => tally.judge('a', 'x', answer(200, long)))).toEqual([])
    expect(wrongOf((tally) => tally.judge('a', 'x', answer(404, long, 'text/html')))).toEqual([])
    expect(wrongOf((tally) => tally.judge('a', 'x', answer(404, page, 'text/html')))).toHaveLength(1)
  })

  it('is what takes fifty times the median of its kind and a second of the processor, however busy the machine is', () => {
    const withOne = (cost: { wall_ms: number; cpu_ms: number }, usual = quick) =>
      wrongOf((tally) => {
        for (let i = 0; i < 5; i++) tally.record('a', 'usual', usual, 200)
        tally.record('b', 'of another kind', { wall_ms: 900, cpu_ms: 900 }, 200)
        tally.record('a', 'odd', cost, 200)
      })
    expect(withOne({ wall_ms: 1_200, cpu_ms: 1_100 })).toEqual(['slow: 1200 ms, 1100 of the processor'])
    expect(withOne({ wall_ms: 9_000, cpu_ms: 40 })).toEqual([])
    expect(withOne({ wall_ms: 25_000, cpu_ms: 40 })).toHaveLength(1)
    expect(withOne({ wall_ms: 900, cpu_ms: 900 })).toEqual([])
    expect(withOne({ wall_ms: 1_200, cpu_ms: 1_100 }, { wall_ms: 100, cpu_ms: 100 })).toEqual([])
  })
})
