import type { PlanInputs } from '@timbre/certification'
import { addPeriods } from '@timbre/dte/values'
import type { FileKind } from './file.ts'
import type { SentBook } from './file-store.ts'

type BookPeriods = NonNullable<PlanInputs['book_periods']>

/**
 * The period of each book that went to the SII before: the latest month, not after that of its documents, in which none went. The
 * SII refuses a second whole book of a period (`LNC`), and whoever repeats one takes another month (unverified: public guides).
 */
export function bookPeriods(month: string, sent: readonly SentBook[]): BookPeriods {
  const kinds = [...new Set(sent.map(({ kind }) => kind))]
  return Object.fromEntries(kinds.map((kind) => [kind, freeMonth(month, kind, sent)]))
}

function freeMonth(month: string, kind: FileKind, sent: readonly SentBook[]): string {
  const isTaken = sent.some((book) => book.kind === kind && book.period === month)
  return isTaken ? freeMonth(addPeriods(month, -1), kind, sent) : month
}
