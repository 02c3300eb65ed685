import { isDeepStrictEqual } from 'node:util'

/** What the fields that changed used to be. */
export function previousOf<T extends object>(before: T, after: T): Partial<T> {
  const changed = (Object.keys(after) as (keyof T)[]).filter((key) => !isDeepStrictEqual(before[key], after[key]))
  return Object.fromEntries(changed.map((key) => [key, before[key]])) as Partial<T>
}
