/** Upper bounds in milliseconds, each about twice the one before, from an answer at once to a verdict a day later. */
export const BOUNDS_MS = [
  50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 60_000, 120_000, 300_000, 900_000, 3_600_000, 14_400_000,
  86_400_000,
] as const

/** A count for each bound, and one for what took longer than all. */
export type Durations = readonly number[]

export const NO_DURATIONS: Durations = Array.from({ length: BOUNDS_MS.length + 1 }, () => 0)

export function countDuration(durations: number[], ms: number): void {
  const at = BOUNDS_MS.findIndex((bound) => ms <= bound)
  const place = at < 0 ? BOUNDS_MS.length : at
  durations[place] = (durations[place] ?? 0) + 1
}

export function sumDurations(all: readonly Durations[]): number[] {
  return NO_DURATIONS.map((_, i) => all.reduce((sum, durations) => sum + (durations[i] ?? 0), 0))
}

/** Within how many milliseconds a share of all ended: the bound, which is at most twice the true figure. Null of none. */
export function quantile(durations: Durations, share: number): number | null {
  const total = durations.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let seen = 0
  for (const [i, count] of durations.entries()) {
    seen += count
    if (seen >= total * share) return BOUNDS_MS[i] ?? (BOUNDS_MS.at(-1) as number)
  }
  return BOUNDS_MS.at(-1) as number
}
