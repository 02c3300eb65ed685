import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localRateLimiter, type Verdict, type Window } from './rate-limit.ts'

const A: Window = { key: 'a', max: 3, window_ms: 1_000 }
const B: Window = { key: 'b', max: 5, window_ms: 2_500 }
const C: Window = { key: 'c', max: 1, window_ms: 400 }

/** The rule written as slowly and as plainly as it can be. */
class Model {
  readonly passes = new Map<string, number[]>()

  inside({ key, window_ms }: Window, now: number): number[] {
    return (this.passes.get(key) ?? []).filter((at) => at > now - window_ms)
  }

  take(windows: readonly Window[], now: number): Verdict {
    const allowed = windows.every((window) => this.inside(window, now).length < window.max)
    if (allowed) for (const { key } of windows) this.passes.set(key, [...(this.passes.get(key) ?? []), now])
    const seen = windows.map((window) => {
      const inside = this.inside(window, now)
      const reset = Math.ceil(((inside[0] ?? now) + window.window_ms - now) / 1000)
      return { limit: window.max, remaining: window.max - inside.length, reset_seconds: Math.max(1, reset) }
    })
    const [worst] = seen.sort((a, b) => a.remaining - b.remaining || b.reset_seconds - a.reset_seconds)
    return { allowed, ...(worst as Omit<Verdict, 'allowed'>) }
  }
}

describe('the limiter in process', () => {
  it('gives the verdicts of the plain rule over any sequence of calls', async () => {
    const calls = fc.array(
      fc.record({ wait: fc.nat({ max: 700 }), windows: fc.subarray([A, B, C], { minLength: 1 }) }),
      { maxLength: 80 },
    )
    await fc.assert(
      fc.asyncProperty(calls, async (sequence) => {
        let now = 1_700_000_000_000
        const limiter = localRateLimiter(() => now)
        const model = new Model()
        for (const { wait, windows } of sequence) {
          now += wait
          expect(await limiter.take(windows)).toEqual(model.take(windows, now))
        }
        await limiter.close()
      }),
    )
  })

  it('counts a call in every window or in none', async () => {
    const limiter = localRateLimiter(() => 0)
    await limiter.take([C])
    for (let i = 0; i < 10; i++) expect((await limiter.take([A, C])).allowed).toBe(false)
    expect(await limiter.take([A])).toEqual({ allowed: true, limit: 3, remaining: 2, reset_seconds: 1 })
    await limiter.close()
  })

  it('forgets what it counted while the clock was ahead, and never asks for more patience than a window', async () => {
    let now = 1_700_000_000_000
    const limiter = localRateLimiter(() => now)
    await limiter.take([A])
    now += 3 * 3_600_000
    for (let i = 0; i < 4; i++) await limiter.take([A])
    now -= 3 * 3_600_000 - 100
    expect(await limiter.take([A])).toEqual({ allowed: true, limit: 3, remaining: 2, reset_seconds: 1 })
    for (let i = 0; i < 4; i++) await limiter.take([A])
    expect(await limiter.take([A])).toMatchObject({ allowed: false, reset_seconds: 1 })
    await limiter.close()
  })

  it('gives back the newest pass, and never more than there were', async () => {
    let now = 0
    const limiter = localRateLimiter(() => now)
    for (now of [0, 100, 200]) await limiter.take([A])
    await limiter.giveBack([A, B])
    now = 300
    expect(await limiter.take([A])).toMatchObject({ allowed: true, remaining: 0 })
    now = 1_050
    expect(await limiter.take([A])).toMatchObject({ allowed: true, remaining: 0 })
    for (let i = 0; i < 9; i++) await limiter.giveBack([A])
    expect(await limiter.take([A])).toMatchObject({ allowed: true, remaining: 2 })
    await limiter.close()
  })

  it('has no burst at the edge of a window: a pass frees exactly one window later', async () => {
    let now = 0
    const limiter = localRateLimiter(() => now)
    for (const at of [0, 900, 950]) {
      now = at
      expect((await limiter.take([A])).allowed).toBe(true)
    }
    now = 999
    expect((await limiter.take([A])).allowed).toBe(false)
    now = 1000
    expect((await limiter.take([A])).allowed).toBe(true)
    now = 1001
    expect((await limiter.take([A])).allowed).toBe(false)
    await limiter.close()
  })
})
