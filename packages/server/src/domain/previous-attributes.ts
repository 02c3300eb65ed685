/** Whether two values of the wire are the same. They are JSON: what compares anything at all takes five times as long. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime()
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>]
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) if (!Object.hasOwn(b, key) || !isSame(a[key], b[key])) return false
  return true
}

/** The former values of the fields that changed, derived ones too, for the event of a change; null when none did. */
export function previousAttributes<T extends object>(before: T, after: T): Partial<T> | null {
  const changed = (Object.keys(after) as (keyof T)[]).filter((key) => !isSame(before[key], after[key]))
  return changed.length === 0 ? null : (Object.fromEntries(changed.map((key) => [key, before[key]])) as Partial<T>)
}
