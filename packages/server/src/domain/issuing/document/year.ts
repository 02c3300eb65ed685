import { systemNow } from '../../../kernel/clock.ts'
import { type Fragment, name } from '../../../kernel/db.ts'
import { idFloor } from '../../../kernel/id.ts'
import { presentPartition } from '../../../kernel/partition.ts'

// Documents are cut by the year of their ids (decision 0035). A statement about the whole opens every year that is kept, though it
// touches one; so whoever knows the ids names the table of the present year, where nearly all that moves is.

const ALL = name('document')

interface Year {
  readonly table: Fragment
  readonly begins: number
  readonly ends: number
  readonly first_id: string
  /** The first of the year that follows. */
  readonly past_id: string
}

function yearOf(now: number): Year {
  const year = new Date(now).getUTCFullYear()
  const [begins, ends] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)]
  const floor = (at: number) => idFloor('document', new Date(at))
  const table = name(presentPartition('document', new Date(now)))
  return { table, begins, ends, first_id: floor(begins), past_id: floor(ends) }
}

let present = yearOf(systemNow())

/**
 * The table that holds documents with these ids: that of the present year, which is always there, or all years. An id may come from
 * a stranger, so no other year is named.
 */
export function documentsOf(ids: readonly string[]): Fragment {
  const now = systemNow()
  if (now < present.begins || now >= present.ends) present = yearOf(now)
  const { first_id, past_id, table } = present
  return ids.every((id) => id >= first_id && id < past_id) ? table : ALL
}
