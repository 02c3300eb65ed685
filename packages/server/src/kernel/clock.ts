/** The only reading of the system clock. */
export function systemNow(): number {
  return Date.now()
}

/** A test clock: moved ahead of real time by `offset_ms`, or standing still at `frozen_at`. */
export interface ClockSetting {
  readonly offset_ms: number
  readonly frozen_at: Date | null
}

export const REAL_TIME: ClockSetting = { offset_ms: 0, frozen_at: null }

export function nowOf(setting: ClockSetting): Date {
  return setting.frozen_at ?? new Date(systemNow() + setting.offset_ms)
}

/**
 * When, in real time, something due at an instant of this clock should be looked at.
 * Null: the clock stands still before that instant, so nothing but moving the clock makes it due.
 */
export function realTimeOf(setting: ClockSetting, due: Date): Date | null {
  if (setting.frozen_at === null) return new Date(due.getTime() - setting.offset_ms)
  return due <= setting.frozen_at ? new Date(systemNow()) : null
}

export function secondsFrom(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000)
}
