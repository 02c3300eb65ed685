import { describe, expect, it } from 'vitest'
import { nowOf, REAL_TIME, realTimeOf, secondsFrom, systemNow } from './clock.ts'

const frozen_at = new Date('2026-05-01T12:00:00Z')
const frozen = { offset_ms: 0, frozen_at }
const ahead = { offset_ms: 3_600_000, frozen_at: null }

describe('a clock', () => {
  it('is real time unless it was moved', () => {
    const times = [systemNow(), nowOf(REAL_TIME).getTime(), nowOf(ahead).getTime() - 3_600_000, systemNow()]
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(nowOf(frozen)).toEqual(frozen_at)
  })

  it('says when in real time something on it falls due', () => {
    const due = new Date(systemNow() + 7_200_000)
    expect(realTimeOf(REAL_TIME, due)).toEqual(due)
    expect(realTimeOf(ahead, due)).toEqual(new Date(due.getTime() - 3_600_000))
  })

  it('makes what is due by a frozen instant due at once, and the rest due never until it moves', () => {
    const times = [systemNow(), realTimeOf(frozen, frozen_at)?.getTime() ?? 0, systemNow()]
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    const beyond = realTimeOf(frozen, secondsFrom(frozen_at, 1))
    expect(beyond === null || beyond.getUTCFullYear() === 9999).toBe(true)
  })
})
