import { santiagoDate } from '@timbre/dte/values'
import { invalidField } from '../../../kernel/problem.ts'

/** Nobody has spent tomorrow's money: a date ahead of the clock of the empresa is a slip of the keys. */
export function refuseFuture(date: string | undefined, now: Date, param = 'date'): void {
  const today = santiagoDate(now)
  if (date !== undefined && date > today) throw invalidField(param, `is after today in Santiago (${today}).`)
}
