import { ID_PREFIXES } from '../catalog/ids.ts'
import { CEILINGS } from '../catalog/limits.ts'
import type { CursorSeal } from './cursor-seal.ts'
import { Problem } from './problem.ts'
import type { AccountScope, EmpresaScope } from './scope.ts'

/** Whose list it is, and what marks its cursors. Every context of an account or an empresa is one. */
export interface CursorOwner {
  readonly account: AccountScope
  readonly empresa?: EmpresaScope
  readonly ports: { readonly cursors: CursorSeal }
}

/** The operator's lists belong to no account. */
export const OPERATOR = { account_id: 'operator', mode: 'live' } as const

/** The last row of a page, by the columns its list is ordered by. */
export type Place = readonly (string | number)[]

/** Binds a cursor to its owner, mode, list and filters, in whichever order they were written. */
function bound({ account, empresa }: CursorOwner, list: string, filters: object, place: string): string {
  const sorted = Object.fromEntries(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)))
  return JSON.stringify([account.account_id, account.mode, empresa?.empresa_id ?? null, list, sorted, place])
}

/** An opaque place in a list. It opens for its owner, in its mode, on its list and under its filters alone. */
export function encodeCursor(owner: CursorOwner, list: string, filters: object, place: Place): string {
  const text = JSON.stringify(place)
  const mark = owner.ports.cursors.mark(bound(owner, list, filters, text))
  return ID_PREFIXES.cursor + mark + Buffer.from(text).toString('base64url')
}

/** The place as it was encoded: the mark lets no other through, so its shape is the list's own. */
export function decodeCursor<P extends Place>(
  owner: CursorOwner,
  list: string,
  filters: object,
  cursor: string,
  param = 'cursor',
): P {
  const { cursors } = owner.ports
  const start = ID_PREFIXES.cursor.length
  const encoded = cursor.slice(start + cursors.chars)
  const text = Buffer.from(encoded, 'base64url').toString('utf8')
  // base64 reads many spellings as one, and only the one we gave is taken.
  const spelt = cursor.startsWith(ID_PREFIXES.cursor) && Buffer.from(text).toString('base64url') === encoded
  const mark = cursor.slice(start, start + cursors.chars)
  if (!spelt || !cursors.fits(bound(owner, list, filters, text), mark)) throw new Problem('invalid_cursor', { param })
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
  /** The cursor is bound to these, beside the owner of the list. */
  readonly filters: object
  /** Rows after `place`, null for the first page; `take` is one more than the page holds. */
  readonly fetch: (page: { readonly place: P | null; readonly take: number }) => Promise<readonly Row[]>
  readonly placeOf: (row: Row) => P
  readonly show: (rows: readonly Row[]) => Item[] | Promise<Item[]>
}

/** A page of a list: one row more than it holds is fetched, which only tells that there is more. */
export async function paginate<Row, Item, P extends Place>(
  owner: CursorOwner,
  { limit = CEILINGS.list_default, cursor }: PageInput,
  { list, filters, fetch, placeOf, show }: Pages<Row, Item, P>,
): Promise<ListPage<Item>> {
  const place = cursor === undefined ? null : decodeCursor<P>(owner, list, filters, cursor)
  const rows = await fetch({ place, take: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const has_more = rows.length > limit && last !== undefined
  const next_cursor = has_more ? encodeCursor(owner, list, filters, placeOf(last)) : null
  return { object: 'list', data: await show(shown), has_more, next_cursor }
}

/** The same for a list that is ordered by id, newest first. */
export function pageById<Row extends { readonly id: string }, Item>(
  owner: CursorOwner,
  list: string,
  filters: object,
  page: PageInput,
  fetch: (page: { before: string | null; take: number }) => Promise<readonly Row[]>,
  show: (row: Row) => Item,
): Promise<ListPage<Item>> {
  return paginate<Row, Item, readonly [string]>(owner, page, {
    list,
    filters,
    fetch: ({ place, take }) => fetch({ before: place?.[0] ?? null, take }),
    placeOf: ({ id }) => [id],
    show: (rows) => rows.map(show),
  })
}
