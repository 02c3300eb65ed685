import { describe, expect, it } from 'vitest'
import { openWakeWatch } from './wake.ts'

const HOUR = 3_600_000

describe('waking up', () => {
  function watch() {
    const at = { wall: 1_000_000, steady: 0 }
    const jumps: number[] = []
    const look = openWakeWatch((ms) => jumps.push(ms), { wall: () => at.wall, steady: () => at.steady })
    const pass = (wall: number, steady = wall) => {
      at.wall += wall
      at.steady += steady
      look()
    }
    return { jumps, pass }
  }

  it('is noticed once, by the wall clock that went on while the other stood still', () => {
    const { jumps, pass } = watch()
    pass(5_000)
    pass(21 * 24 * HOUR + 5_000, 5_000)
    pass(5_000)
    expect(jumps).toEqual([21 * 24 * HOUR])
  })

  it('is noticed of a clock that was set back, and not of a busy process or a small correction', () => {
    const { jumps, pass } = watch()
    pass(HOUR)
    pass(5_900, 5_000)
    expect(jumps).toEqual([])
    pass(-HOUR, 5_000)
    expect(jumps).toEqual([-HOUR - 5_000])
  })
})
