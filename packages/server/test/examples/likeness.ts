// Whether two recordings say the same: values differ from day to day, what an answer is made of does not.

import type { Example } from './example.ts'

const ANY_DATE = /\d{4}-\d{2}(-\d{2})?(T[\d:.]+Z)?/g

/** Where a value differs in what it is made of; null where it does not. What is null in one says nothing of the other. */
export function difference(one: unknown, other: unknown, path: string): string | null {
  if (one === null || other === null) return null
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length === 0 || other.length === 0) return null
    return difference(merged(one), merged(other), `${path}[]`)
  }
  if (typeof one !== typeof other || Array.isArray(one) !== Array.isArray(other)) return path
  if (typeof one !== 'object') return null
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>]
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = key in left && key in right ? difference(left[key], right[key], `${path}.${key}`) : `${path}.${key}`
    if (found) return found
  }
  return null
}

/** One element with all that any of them has. */
function merged(elements: readonly unknown[]): unknown {
  const objects = elements.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  if (objects.length < elements.length) return elements.find((one) => one !== null) ?? null
  const all: Record<string, unknown> = {}
  for (const one of objects as Record<string, unknown>[])
    for (const [key, value] of Object.entries(one)) {
      const known = all[key]
      if (known === undefined || known === null) all[key] = value
      else if (Array.isArray(known) && Array.isArray(value)) all[key] = [...known, ...value]
      else if (typeof known === 'object' && typeof value === 'object') all[key] = merged([known, value])
    }
  return all
}

const ANY_ID = /_[0-9a-hjkmnp-tv-z]{26}\b/g

/** How a file in DER begins, in base64: its length, which the random numbers in a certificate change by a byte or two. */
const ANY_DER = /"MI[A-Za-z0-9+/]+"/g

/** What is asked is the same to the letter, but for the day on which it is, the names that things got and the length of certificates. */
const asked = ({ request }: Example) =>
  JSON.stringify(request).replace(ANY_DATE, 'date').replace(ANY_ID, '_id').replace(ANY_DER, '"der"')

/** In what an example no longer tells what happens; null while it does. */
export function drift(recorded: Example, played: Example): string | null {
  if (asked(recorded) !== asked(played)) return 'the request'
  if (recorded.response.status !== played.response.status) return 'the status'
  const { headers: before = {}, body: said = null } = recorded.response
  const { headers: after = {}, body: says = null } = played.response
  if (Object.keys(before).join() !== Object.keys(after).join()) return 'the headers of the answer'
  return difference(said, says, 'body')
}
