import { createHash } from 'node:crypto'
import { ID_PREFIXES } from '../catalog/ids.ts'
import { CEILINGS } from '../catalog/limits.ts'
import { Problem } from './problem.ts'

const SEAL_CHARS = 10

/** Binds a cursor to its list and its filters, in whichever order they were written. */
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

/** The last row of a page, by the columns its list is ordered by. */
export type Place = readonly (string | number)[]

/** An opaque place in a list. It does not open on another list or under other filters. */
export function encodeCursor(list: string, filters: object, place: Place): string {
  return written(list, filters, JSON.stringify(place))
}

/** The place as it was encoded: the seal lets no other through, so its shape is the list's own. */
export function decodeCursor<P extends Place>(list: string, filters: object, cursor: string, param = 'cursor'): P {
  const text = Buffer.from(cursor.slice(ID_PREFIXES.cursor.length + SEAL_CHARS), 'base64url').toString('utf8')
  // Written again and compared whole: base64 reads many spellings as one, and only the one we gave is taken.
  if (cursor !== written(list, filters, text)) throw new Problem('invalid_cursor', { param })
  return JSON.parse(text) as P
}

export interface ListPage<Item> {
  readonly object: 'list'
  readonly data: Item[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface PageInput {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

interface Pages<Row, Item, P extends Place> {
  readonly list: string
  /** The cursor is bound to these: the owner of the list, and its filters. */
  readonly filters: object
  /** Rows after `place`, null for the first page; `take` is one more than the page holds. */
  readonly fetch: (page: { readonly place: P | null; readonly take: number }) => Promise<readonly Row[]>
  readonly placeOf: (row: Row) => P
  readonly show: (rows: readonly Row[]) => Item[] | Promise<Item[]>
}

/** A page of a list: one row more than it holds is fetched, which only tells that there is more. */
export async function paginate<Row, Item, P extends Place>(
  { limit = CEILINGS.list_default, cursor }: PageInput,
  { list, filters, fetch, placeOf, show }: Pages<Row, Item, P>,
): Promise<ListPage<Item>> {
  const place = cursor === undefined ? null : decodeCursor<P>(list, filters, cursor)
  const rows = await fetch({ place, take: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const has_more = rows.length > limit && last !== undefined
  const next_cursor = has_more ? encodeCursor(list, filters, placeOf(last)) : null
  return { object: 'list', data: await show(shown), has_more, next_cursor }
}

/** The same for a list that is ordered by id, newest first. */
export function pageById<Row extends { readonly id: string }, Item>(
  list: string,
  filters: object,
  page: PageInput,
  fetch: (page: { before: string | null; take: number }) => Promise<readonly Row[]>,
  show: (row: Row) => Item,
): Promise<ListPage<Item>> {
  return paginate<Row, Item, readonly [string]>(page, {
    list,
    filters,
    fetch: ({ place, take }) => fetch({ before: place?.[0] ?? null, take }),
    placeOf: ({ id }) => [id],
    show: (rows) => rows.map(show),
  })
}
