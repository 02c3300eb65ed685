import { afterEach, describe, expect, it, vi } from 'vitest'
import { secondTimer } from './every-second.ts'

describe('once a second', () => {
  afterEach(() => void vi.useRealTimers())

  it('calls all that asked for it in one turn, and nobody who was stopped', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    // A timer of its own: the process's may be running already, started by whoever ran before.
    const everySecond = secondTimer()
    const calls: string[] = []
    const stopOne = everySecond(() => calls.push('one'))
    vi.advanceTimersByTime(500)
    const stopOther = everySecond(() => calls.push('other'))
    vi.advanceTimersByTime(500)
    expect(calls).toEqual(['one', 'other'])
    stopOne()
    vi.advanceTimersByTime(1_000)
    expect(calls).toEqual(['one', 'other', 'other'])
    stopOther()
    vi.advanceTimersByTime(2_000)
    expect([calls.length, vi.getTimerCount()]).toEqual([3, 0])
  })
})
