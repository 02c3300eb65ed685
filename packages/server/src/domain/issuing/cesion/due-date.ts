import type { DteDraft } from '@timbre/dte/draft'

const DAY_MS = 86_400_000
/** What a factura without a date is due in (Ley 19.983, art. 2, as of Ley 21.131). */
const DEFAULT_DAYS = 30

function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** When the last part of a document falls due. */
export function lastDueDate({ issue_date, payment }: Pick<DteDraft, 'issue_date' | 'payment'>): string {
  const instalments = (payment?.instalments ?? []).map(({ date }) => date).sort()
  return instalments.at(-1) ?? payment?.due_date ?? daysAfter(issue_date, DEFAULT_DAYS)
}
