import { isDeepStrictEqual } from 'node:util'

/** The former values of the fields that changed, derived ones too, for the event of a change; null when none did. */
export function previousAttributes<T extends object>(before: T, after: T): Partial<T> | null {
  const changed = (Object.keys(after) as (keyof T)[]).filter((key) => !isDeepStrictEqual(before[key], after[key]))
  return changed.length === 0 ? null : (Object.fromEntries(changed.map((key) => [key, before[key]])) as Partial<T>)
}
