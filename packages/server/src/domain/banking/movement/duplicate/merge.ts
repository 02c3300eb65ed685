import { addDays } from '@timbre/dte/values'
import type { Sql } from '../../../../kernel/db.ts'
import {
  type ComparedRow,
  type Days,
  hasOtherSources,
  listComparable,
  listKeptApart,
  saveDuplicates,
} from '../duplicate-store.ts'
import type { MovementScope, MovementSource } from '../row.ts'
import { lockForImport } from '../undo-store.ts'
import { type Compared, type Duplicate, findDuplicates, NEAR_DAYS } from './find.ts'

/** Days whose movements are in memory at a time. */
const SLICE_DAYS = 14

function asCompared(row: ComparedRow): Compared {
  const { id, bank_account, account_tail: tail, bank, post_date, amount, currency, behind } = row
  const feed = row.source_type === 'statement' ? 'statements' : row.source_id
  const words = row.description.replace(/\s+/g, ' ').trim().toUpperCase()
  return { id, feed, bank_account, tail, bank, post_date, amount, currency, words, behind }
}

/** Hides the later of the two, unless it alone is matched to something. */
function orient(duplicate: Duplicate, rows: ReadonlyMap<string, ComparedRow>): Duplicate {
  const [one, other] = [rows.get(duplicate.id), rows.get(duplicate.of)]
  if (!one || !other || !duplicate.certain) return duplicate
  if (one.is_matched && other.is_matched) return { ...duplicate, certain: false, reason: 'both_matched' }
  const is_later =
    one.created_at.getTime() === other.created_at.getTime() ? one.id > other.id : one.created_at > other.created_at
  const hides = one.is_matched === other.is_matched ? is_later : other.is_matched
  return hides ? duplicate : { ...duplicate, id: duplicate.of, of: duplicate.id }
}

type KeptApart = (one: string, other: string) => boolean

async function loadKeptApart(sql: Sql, scope: MovementScope): Promise<KeptApart> {
  const pairs = new Set(
    (await listKeptApart(sql, scope)).map(({ movement_id, target_id }) => `${movement_id} ${target_id}`),
  )
  return (one, other) => pairs.has(`${one} ${other}`) || pairs.has(`${other} ${one}`)
}

/**
 * Cartolas and connections may cover the same bank account. Of the movements that a source has just brought, those that
 * another source holds too count once: the earlier one stays, the later one is hidden. Gives how many of the source's
 * own were hidden. Reads nothing where no other source covers those days.
 */
export async function mergeDuplicates(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  { from, to }: Days,
  at: Date,
): Promise<number> {
  // A cartola that is being undone must not hide anything.
  await lockForImport(sql, scope)
  const around = { from: addDays(from, -NEAR_DAYS), to: addDays(to, NEAR_DAYS) }
  if (!(await hasOtherSources(sql, scope, source, around))) return 0
  const apart = await loadKeptApart(sql, scope)
  let merged = 0
  for (let day = from; day <= to; day = addDays(day, SLICE_DAYS)) {
    const last = addDays(day, SLICE_DAYS - 1)
    const ours = await listComparable(sql, scope, source, { from: day, to: last < to ? last : to }, null)
    const near = { from: addDays(day, -NEAR_DAYS), to: addDays(last, NEAR_DAYS) }
    const amounts = [...new Set(ours.map(({ amount }) => amount))]
    const others = amounts.length === 0 ? [] : await listComparable(sql, scope, source, near, amounts)
    const rows = new Map([...ours, ...others].map((row) => [row.id, row]))
    const duplicates = findDuplicates(ours.map(asCompared), others.map(asCompared), apart).map((duplicate) =>
      orient(duplicate, rows),
    )
    const hidden = new Set(await saveDuplicates(sql, scope, duplicates, at))
    merged += ours.filter(({ id }) => hidden.has(id)).length
  }
  return merged
}

/** Hides a movement behind another one, because somebody said that they are the same. */
export async function hideDuplicate(
  sql: Sql,
  scope: MovementScope,
  { id, of }: { readonly id: string; readonly of: string },
  at: Date,
): Promise<void> {
  await saveDuplicates(sql, scope, [{ id, of, certain: true, reason: 'said' }], at)
}
