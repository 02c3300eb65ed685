import { DAY_MS } from '@timbre/dte/values'
/** The only reading of the system clock. */
export function systemNow(): number {
  return Date.now()
}

/** A test clock: moved ahead of real time by `offset_ms`, or standing still at `frozen_at`. */
export interface ClockSetting {
  readonly offset_ms: number
  readonly frozen_at: Date | null
}

/** Settings of one name show the same time. */
export const clockName = ({ offset_ms, frozen_at }: ClockSetting) => `${offset_ms}|${frozen_at?.getTime()}`

export const REAL_TIME: ClockSetting = { offset_ms: 0, frozen_at: null }

export function nowOf(setting: ClockSetting): Date {
  return setting.frozen_at ?? new Date(systemNow() + setting.offset_ms)
}

/** Due on a clock that stands still before it: only moving the clock brings it forward. */
export const NEVER = new Date('9999-12-31T00:00:00Z')

/** When, in real time, something due at an instant of this clock should be looked at. */
export function realTimeOf(setting: ClockSetting, due: Date): Date {
  if (setting.frozen_at === null) return new Date(due.getTime() - setting.offset_ms)
  return due <= setting.frozen_at ? new Date(systemNow()) : NEVER
}

export function secondsFrom(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000)
}

export function daysFrom(start: Date, days: number): Date {
  return new Date(start.getTime() + days * DAY_MS)
}
