import { describe, expect, it } from 'vitest'
import { BEAT_MS, nearestBeat } from './beat.ts'

const nearest = (instant: number, now = 0) => nearestBeat(new Date(instant), now).getTime()

describe('the beat nearest to an instant', () => {
  it('is one for all that falls due around it, and never more than half a beat away', () => {
    expect([4_200, 4_400, 4_599].map((instant) => nearest(instant))).toEqual([4_400, 4_400, 4_400])
    expect([4_600, 4_999].map((instant) => nearest(instant))).toEqual([4_800, 4_800])
    for (let instant = 4_000; instant < 5_000; instant++) {
      expect(Math.abs(nearest(instant) - instant)).toBeLessThanOrEqual(BEAT_MS / 2)
    }
  })

  it('is not gone back to: what falls due behind one that is over keeps its instant', () => {
    expect(nearest(4_500, 4_399)).toBe(4_400)
    expect(nearest(4_500, 4_400)).toBe(4_500)
  })

  it('is waited for by nothing that is due already', () => {
    expect([4_650, 4_700].map((now) => nearest(4_650, now))).toEqual([4_650, 4_650])
    expect(nearest(4_651, 4_650)).toBe(4_800)
  })
})
