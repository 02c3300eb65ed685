import type { CounterpartyRow } from './show.ts'

const ADDRESS = ['street', 'comuna', 'city'] as const
export const FIELDS = ['legal_name', 'giro', ...ADDRESS] as const
export type Field = (typeof FIELDS)[number]

/** The fields as one side gives them: a caller, or a document that names its receptor. */
export type Fields = Pick<CounterpartyRow, Field>
/** The fields of a row. Those in `inferred` were read off documents; the caller recorded the others. */
export type KnownFields = Pick<CounterpartyRow, Field | 'inferred'>

function isRecorded(known: KnownFields, field: Field): boolean {
  return known[field] !== null && !known.inferred.includes(field)
}

/** The source of a row is the caller as soon as the caller recorded any of it. */
export function sourceOf(known: KnownFields): CounterpartyRow['source'] {
  if (FIELDS.some((field) => isRecorded(known, field))) return 'api'
  return FIELDS.some((field) => known[field] !== null) ? 'document' : null
}

/**
 * An address is one thing and never put together from two. A document that contradicts a part the caller recorded
 * changes nothing; one that contradicts a part known from documents replaces all such parts, for they moved.
 */
function mergeAddress(known: KnownFields, named: Fields): Partial<Fields> {
  const differs = ADDRESS.filter((part) => named[part] !== null && known[part] !== null && named[part] !== known[part])
  if (ADDRESS.every((part) => named[part] === null) || differs.some((part) => isRecorded(known, part))) return {}
  const free = ADDRESS.filter((part) => !isRecorded(known, part))
  const moved = differs.length > 0
  return Object.fromEntries(free.map((part) => [part, moved ? named[part] : (named[part] ?? known[part])]))
}

/** Merges what a document names into what is known: it fills what the caller did not record and leaves the rest. */
export function mergeNamed(known: KnownFields, named: Fields): KnownFields {
  const merged = (field: Field) => (isRecorded(known, field) ? known[field] : (named[field] ?? known[field]))
  const after = { ...known, legal_name: merged('legal_name'), giro: merged('giro'), ...mergeAddress(known, named) }
  const inferred = FIELDS.filter((field) => after[field] !== null && !isRecorded(known, field))
  return { ...after, inferred }
}

export function isSame(one: KnownFields, other: KnownFields): boolean {
  return FIELDS.every((field) => one[field] === other[field] && isRecorded(one, field) === isRecorded(other, field))
}
