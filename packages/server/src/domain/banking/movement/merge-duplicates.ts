import { addDays } from '@timbre/dte/values'
import type { Sql } from '../../../kernel/db.ts'
import { apartIn, type Days, hasOthers, noteTwins, type ToldRow, toldBetween } from './duplicate-store.ts'
import { findTwins, NEAR_DAYS, type Told, type Twin } from './duplicates.ts'
import type { MovementScope, MovementSource } from './row.ts'
import { letImport } from './undo-store.ts'

/** So many days are held in memory at a time. */
const SLICE_DAYS = 14

function asTold(row: ToldRow): Told {
  const { id, bank_account, account_tail: tail, bank, post_date, amount, currency, behind } = row
  const feed = row.source_type === 'statement' ? 'statements' : row.source_id
  const words = row.description.replace(/\s+/g, ' ').trim().toUpperCase()
  return { id, feed, bank_account, tail, bank, post_date, amount, currency, words, behind }
}

/** The one that came later is hidden, unless it alone is matched to something. */
function oriented(twin: Twin, rows: ReadonlyMap<string, ToldRow>): Twin {
  const [one, other] = [rows.get(twin.id), rows.get(twin.of)]
  if (!one || !other || !twin.certain) return twin
  if (one.is_matched && other.is_matched) return { ...twin, certain: false, reason: 'both_matched' }
  const is_later =
    one.created_at.getTime() === other.created_at.getTime() ? one.id > other.id : one.created_at > other.created_at
  const hides = one.is_matched === other.is_matched ? is_later : other.is_matched
  return hides ? twin : { ...twin, id: twin.of, of: twin.id }
}

type Apart = (one: string, other: string) => boolean

async function apartOf(sql: Sql, scope: MovementScope): Promise<Apart> {
  const pairs = new Set((await apartIn(sql, scope)).map(({ movement_id, target_id }) => `${movement_id} ${target_id}`))
  return (one, other) => pairs.has(`${one} ${other}`) || pairs.has(`${other} ${one}`)
}

/**
 * A bank account may be told by cartolas and by connections. What a source has just told of some days, and another one
 * told too, is kept once: the one that came first stays, the other one is hidden. Gives how many of the source's own
 * were hidden. Nothing is read where nobody else tells of those days.
 */
export async function mergeTwins(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  { from, to }: Days,
  at: Date,
): Promise<number> {
  // What is being undone must not hide anything.
  await letImport(sql, scope)
  const around = { from: addDays(from, -NEAR_DAYS), to: addDays(to, NEAR_DAYS) }
  if (!(await hasOthers(sql, scope, source, around))) return 0
  const apart = await apartOf(sql, scope)
  let merged = 0
  for (let day = from; day <= to; day = addDays(day, SLICE_DAYS)) {
    const last = addDays(day, SLICE_DAYS - 1)
    const ours = await toldBetween(sql, scope, source, { from: day, to: last < to ? last : to }, null)
    const near = { from: addDays(day, -NEAR_DAYS), to: addDays(last, NEAR_DAYS) }
    const amounts = [...new Set(ours.map(({ amount }) => amount))]
    const others = amounts.length === 0 ? [] : await toldBetween(sql, scope, source, near, amounts)
    const rows = new Map([...ours, ...others].map((row) => [row.id, row]))
    const twins = findTwins(ours.map(asTold), others.map(asTold), apart).map((twin) => oriented(twin, rows))
    const hidden = new Set(await noteTwins(sql, scope, twins, at))
    merged += ours.filter(({ id }) => hidden.has(id)).length
  }
  return merged
}
