import { describe, expect, it } from 'vitest'
import { Gathering } from './gathering.ts'

const LANE = 'x|1'

describe('a lane whose batches keep a distance', () => {
  it('goes at once after a pause, and otherwise with the moment after the one it was claimed in', () => {
    const gathering = new Gathering()
    expect(gathering.next(LANE, 200, 1_010)).toBe(0)
    gathering.claimed(LANE, 200, 1_010)
    expect(gathering.next(LANE, 200, 1_050)).toBe(1_200)
    expect(gathering.next(LANE, 200, 1_199)).toBe(1_200)
    expect(gathering.next(LANE, 200, 1_200)).toBe(0)
    expect(gathering.next('x|2', 200, 1_050)).toBe(0)
    expect(gathering.next(LANE, 0, 1_050)).toBe(0)
  })

  it('shares its moments with the other lanes, so that one statement claims from all of them', () => {
    const gathering = new Gathering()
    for (const [i, at] of [1_001, 1_090, 1_180].entries()) gathering.claimed(`x|${i}`, 200, at)
    expect([0, 1, 2].map((i) => gathering.next(`x|${i}`, 200, 1_181))).toEqual([1_200, 1_200, 1_200])
  })

  it('does not wait for a clock that was set back', () => {
    const gathering = new Gathering()
    gathering.claimed(LANE, 200, 3_600_000)
    expect(gathering.next(LANE, 200, 1_000)).toBe(0)
  })
})
