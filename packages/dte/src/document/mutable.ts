/** A value of ours while it is put together. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/**
 * A copy to which more is added. Node 20 gives every object that `{ ...value, more }` makes a hidden class of its own:
 * microseconds to make, and slow to read wherever it goes from there.
 */
export function mutableCopy<T extends object>(value: T): Mutable<T> {
  const copy = Object.assign({}, value)
  // Where a spread defines a field, `Object.assign` sets it: a field of JSON that is called `__proto__` would give the copy a parent.
  if (Object.getPrototypeOf(copy) !== Object.prototype) Object.setPrototypeOf(copy, Object.prototype)
  return copy
}
