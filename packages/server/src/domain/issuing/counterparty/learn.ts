import type { CounterpartyRow } from './show.ts'

export const ADDRESS = ['street', 'comuna', 'city'] as const
export const FIELDS = ['legal_name', 'giro', ...ADDRESS] as const
export type Field = (typeof FIELDS)[number]

/** What is known of a counterparty, and which of it was read off documents. Whatever else is there, the caller recorded. */
export type Known = Pick<CounterpartyRow, Field | 'inferred'>
export type Heard = Pick<CounterpartyRow, Field>

export function isRecorded(known: Known, field: Field): boolean {
  return known[field] !== null && !known.inferred.includes(field)
}

/** Who a row comes from: from the caller as soon as the caller recorded any of it. */
export function sourceOf(known: Known): CounterpartyRow['source'] {
  if (FIELDS.some((field) => isRecorded(known, field))) return 'api'
  return FIELDS.some((field) => known[field] !== null) ? 'document' : null
}

/**
 * The address, which is one thing: it is never put together from two. A document that contradicts a part the caller
 * recorded tells nothing; one that contradicts a part known from documents replaces all such parts, for they moved.
 */
function addressAfter(known: Known, heard: Heard): Partial<Heard> {
  const differs = ADDRESS.filter((part) => heard[part] !== null && known[part] !== null && heard[part] !== known[part])
  if (ADDRESS.every((part) => heard[part] === null) || differs.some((part) => isRecorded(known, part))) return {}
  const free = ADDRESS.filter((part) => !isRecorded(known, part))
  const moved = differs.length > 0
  return Object.fromEntries(free.map((part) => [part, moved ? heard[part] : (heard[part] ?? known[part])]))
}

/** What is known after a document was heard: it fills what nobody recorded and leaves the rest. */
export function learn(known: Known, heard: Heard): Known {
  const said = (field: Field) => (isRecorded(known, field) ? known[field] : (heard[field] ?? known[field]))
  const after = { ...known, legal_name: said('legal_name'), giro: said('giro'), ...addressAfter(known, heard) }
  const inferred = FIELDS.filter((field) => after[field] !== null && !isRecorded(known, field))
  return { ...after, inferred }
}

export function sameAs(one: Known, other: Known): boolean {
  return FIELDS.every((field) => one[field] === other[field] && isRecorded(one, field) === isRecorded(other, field))
}
