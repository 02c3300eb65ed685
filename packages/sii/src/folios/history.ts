import { throughDoor } from '../portal/cgi.ts'
import { looking } from '../portal/effects.ts'
import type { Page } from '../portal/page.ts'
import type { Sessions } from '../portal/sessions.ts'
import type { Wire } from '../wire.ts'
import { type FolioQuestion, type FolioRange, numberOf } from './door.ts'
import { readRanges } from './list-pages.ts'
import { noForm, saysNone } from './refusals.ts'

/** A range that was stamped once. */
export interface StampedRange extends FolioRange {
  /** `YYYY-MM-DD` */
  readonly date: string
  readonly quantity: number
  /** Who stamped it, as the page names them. */
  readonly person: string | null
}

/** Every range ever stamped of a tipo (`of_consulta2_folio`), oldest first. */
export function folioHistory(wire: Wire, sessions: Sessions, question: FolioQuestion): Promise<StampedRange[]> {
  return throughDoor(wire, sessions, question, 'of_consulta_folio', async (door) => {
    const found = await looking(() => readRanges(door, 'of_consulta2_folio', question, readHistory))
    return found.sort((a, b) => a.from - b.from)
  })
}

function readHistory(page: Page): readonly StampedRange[] {
  const ranges = page.rows.flatMap(readRow)
  const is_list = page.rows.some((row) => /desde|inicial/i.test(row.join(' ')) && /hasta|final/i.test(row.join(' ')))
  if (ranges.length === 0 && !saysNone(page) && !is_list) throw noForm(page, 'table of stamped ranges')
  return ranges
}

/** Date, quantity, first, last, person: found by the date, as the row may begin with other cells. */
function readRow(row: readonly string[]): StampedRange[] {
  const at = row.findIndex((cell) => /^\d{2}-\d{2}-\d{4}$/.test(cell))
  const [date = '', quantity, from, to, person] = row.slice(at)
  const numbers = [numberOf(quantity), numberOf(from), numberOf(to)] as const
  if (at === -1 || numbers[0] === null || numbers[1] === null || numbers[2] === null) return []
  const [day, month, year] = date.split('-')
  return [
    { date: `${year}-${month}-${day}`, quantity: numbers[0], from: numbers[1], to: numbers[2], person: person || null },
  ]
}
