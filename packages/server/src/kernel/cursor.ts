import { createHash } from 'node:crypto'
import { ID_PREFIXES } from '../catalog/ids.ts'
import { CEILINGS } from '../catalog/limits.ts'
import { Problem } from './problem.ts'

const SEAL_CHARS = 10

/** What a cursor belongs to: its list and the filters it was made under, in whichever order they were written. */
function seal(list: string, filters: object, place: string): string {
  const sorted = Object.fromEntries(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256')
    .update(JSON.stringify([list, sorted, place]))
    .digest('base64url')
    .slice(0, SEAL_CHARS)
}

function written(list: string, filters: object, place: string): string {
  return ID_PREFIXES.cursor + seal(list, filters, place) + Buffer.from(place).toString('base64url')
}

/** An opaque place in a list. It does not open on another list or under other filters. */
export function encodeCursor(list: string, filters: object, place: readonly (string | number)[]): string {
  return written(list, filters, JSON.stringify(place))
}

export function decodeCursor(list: string, filters: object, cursor: string, param = 'cursor'): (string | number)[] {
  const refused = new Problem('invalid_cursor', { param })
  const text = Buffer.from(cursor.slice(ID_PREFIXES.cursor.length + SEAL_CHARS), 'base64url').toString('utf8')
  // Written again and compared whole: base64 reads many spellings as one, and only the one we gave is taken.
  if (cursor !== written(list, filters, text)) throw refused
  return JSON.parse(text) as (string | number)[]
}

export interface ListPage<Item> {
  readonly object: 'list'
  readonly data: Item[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface PageInput {
  readonly limit?: number
  readonly cursor?: string
}

/**
 * A page of a list ordered by id, newest first. `fetch` is asked for one row more than the page holds:
 * the extra one only tells that there is more.
 */
export async function pageById<Row extends { readonly id: string }, Item>(
  list: string,
  filters: object,
  { limit = CEILINGS.list_default, cursor }: PageInput,
  fetch: (page: { before: string | null; take: number }) => Promise<Row[]>,
  show: (row: Row) => Item,
): Promise<ListPage<Item>> {
  const before = cursor === undefined ? null : String(decodeCursor(list, filters, cursor)[0])
  const rows = await fetch({ before, take: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const has_more = rows.length > limit && last !== undefined
  const next_cursor = has_more ? encodeCursor(list, filters, [last.id]) : null
  return { object: 'list', data: shown.map(show), has_more, next_cursor }
}
