import type { DteDraft } from '@timbre/dte/draft'
import { addDays } from '@timbre/dte/values'

/** What a factura without a date is due in (Ley 19.983, art. 2, as of Ley 21.131). */
const DEFAULT_DAYS = 30

/** When the last part of a document falls due. */
export function lastDueDate({ issue_date, payment }: Pick<DteDraft, 'issue_date' | 'payment'>): string {
  const instalments = (payment?.instalments ?? []).map(({ date }) => date).sort()
  return instalments.at(-1) ?? payment?.due_date ?? addDays(issue_date, DEFAULT_DAYS)
}
