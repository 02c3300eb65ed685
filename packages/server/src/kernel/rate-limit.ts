import { BUCKETS, type BucketName } from '../catalog/limits.ts'
import { systemNow } from './clock.ts'
import { networkOf } from './network.ts'

/** One sliding window to be counted in: at most `max` passes in any `window_ms`. */
export interface Window {
  readonly key: string
  readonly max: number
  readonly window_ms: number
}

export function windowOf(name: BucketName, who: string): Window {
  const { max, window_seconds, counted_by } = BUCKETS[name]
  return { key: `${name}|${counted_by === 'ip' ? networkOf(who) : who}`, max, window_ms: window_seconds * 1000 }
}

export interface Verdict {
  readonly allowed: boolean
  /** Of the tightest window: the one with the least room left. */
  readonly limit: number
  readonly remaining: number
  /** Seconds until the tightest window has room for one more than now. */
  readonly reset_seconds: number
}

export interface RateLimiter {
  /** Counts one call in every window, or, when one of them is full, in none. */
  take(windows: readonly Window[]): Promise<Verdict>
  /** Takes back the newest pass of every window: what was counted turned out not to count. */
  giveBack(windows: readonly Window[]): Promise<void>
  close(): Promise<void>
}

/** The last `max` passes of one window in a ring: the oldest is where the next goes. */
interface Ring {
  readonly times: Float64Array
  next: number
  count: number
  window_ms: number
}

interface State {
  readonly window: Window
  readonly used: number
  readonly oldest: number
}

/** Drops passes that left the window, and passes of the future: the clock was wrong when they were counted. */
function trim(ring: Ring, now: number, window_ms: number): void {
  const size = ring.times.length
  const at = (i: number) => ring.times[(i + size) % size] as number
  while (ring.count > 0 && at(ring.next - ring.count) <= now - window_ms) ring.count--
  while (ring.count > 0 && at(ring.next - 1) > now) {
    ring.next = (ring.next - 1 + size) % size
    ring.count--
  }
}

function usedAt(ring: Ring, now: number, window: Window): State {
  const size = ring.times.length
  trim(ring, now, window.window_ms)
  const oldest = ring.count > 0 ? (ring.times[(ring.next - ring.count + size) % size] as number) : now
  return { window, used: ring.count, oldest }
}

/** Among the windows of a call the one to report: least room, and of equals the one that takes longest. */
export function tightest(states: readonly State[], now: number, allowed: boolean): Verdict {
  const seen = states.map(({ window, used, oldest }) => ({
    limit: window.max,
    remaining: Math.max(0, window.max - used),
    reset_seconds: Math.max(1, Math.ceil((oldest + window.window_ms - now) / 1000)),
  }))
  const [worst] = seen.sort((a, b) => a.remaining - b.remaining || b.reset_seconds - a.reset_seconds)
  if (!worst) throw new Error('a call is counted in one window at least')
  return { allowed, limit: worst.limit, remaining: worst.remaining, reset_seconds: worst.reset_seconds }
}

/** Exact sliding log in this process. With more than one process, the windows live in Redis instead. */
export function localRateLimiter(clock: () => number = systemNow): RateLimiter {
  const rings = new Map<string, Ring>()
  const sweep = setInterval(() => {
    const now = clock()
    for (const [key, ring] of rings) {
      trim(ring, now, ring.window_ms)
      if (ring.count === 0) rings.delete(key)
    }
  }, 60_000)
  sweep.unref()

  const ringOf = ({ key, max, window_ms }: Window): Ring => {
    let ring = rings.get(key)
    if (!ring || ring.times.length !== max) {
      ring = { times: new Float64Array(max), next: 0, count: 0, window_ms }
      rings.set(key, ring)
    }
    return ring
  }

  return {
    async take(windows) {
      const now = clock()
      const pairs = windows.map((window) => ({ window, ring: ringOf(window) }))
      const before = pairs.map(({ window, ring }) => usedAt(ring, now, window))
      if (before.some(({ used, window }) => used >= window.max)) return tightest(before, now, false)
      for (const { ring } of pairs) {
        ring.times[ring.next] = now
        ring.next = (ring.next + 1) % ring.times.length
        ring.count++
      }
      return tightest(
        pairs.map(({ window, ring }) => usedAt(ring, now, window)),
        now,
        true,
      )
    },
    async giveBack(windows) {
      for (const { key } of windows) {
        const ring = rings.get(key)
        if (!ring || ring.count === 0) continue
        ring.next = (ring.next - 1 + ring.times.length) % ring.times.length
        ring.count--
      }
    },
    async close() {
      clearInterval(sweep)
      rings.clear()
    },
  }
}
