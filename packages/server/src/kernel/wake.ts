import { systemNow } from './clock.ts'

/** More than a correction of the clock, less than any partition or lease is long for. */
const JUMP_MS = 60_000

interface Clocks {
  readonly wall: () => number
  /** Goes on evenly and stands still while the machine sleeps. */
  readonly steady: () => number
}

/**
 * Notices that the machine slept, or that its clock was set: the wall clock moved by something else than the steady one.
 * Gives the look, to be taken every few seconds; timers alone would go on waiting as if nothing had happened.
 */
export function openWakeWatch(
  onWake: (jumped_ms: number) => void,
  clocks: Clocks = { wall: systemNow, steady: () => performance.now() },
): () => void {
  let [wall, steady] = [clocks.wall(), clocks.steady()]
  return () => {
    const [wall_now, steady_now] = [clocks.wall(), clocks.steady()]
    const jumped = wall_now - wall - (steady_now - steady)
    wall = wall_now
    steady = steady_now
    if (Math.abs(jumped) > JUMP_MS) onWake(jumped)
  }
}
