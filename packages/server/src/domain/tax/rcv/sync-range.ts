import { type Static, Type } from 'typebox'
import { CEILINGS } from '../../../catalog/limits.ts'
import { invalidField } from '../../../kernel/problem.ts'
import { Closed } from '../../../kernel/schema.ts'
import { monthsFrom, Period } from './period.ts'

const optional = Type.Optional

/** What the tool of an agent takes instead of one period: months in a row, each read by a job of its own. */
export const SyncRange = Closed({
  period: optional({ ...Period, description: 'One month. Default: the previous month in Santiago.' }),
  from_period: optional({ ...Period, description: 'The first of several months; goes with `to_period`.' }),
  to_period: optional({
    ...Period,
    description: `The last of them: at most ${CEILINGS.rcv_range_months} months, both ends counted.`,
  }),
})
export type SyncRange = Static<typeof SyncRange>

/** One request for each month of the range. */
export function syncRequests(input: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  const { period, from_period, to_period } = input as SyncRange
  if (from_period === undefined && to_period === undefined) return [period === undefined ? {} : { period }]
  if (period !== undefined) throw invalidField('period', 'send either one period or a range.')
  if (from_period === undefined) throw invalidField('from_period', 'it is required beside to_period.')
  if (to_period === undefined) throw invalidField('to_period', 'it is required beside from_period.')
  if (to_period < from_period) throw invalidField('to_period', 'it comes before from_period.')
  if (to_period >= monthsFrom(from_period, CEILINGS.rcv_range_months)) {
    throw invalidField('to_period', `a range holds at most ${CEILINGS.rcv_range_months} months.`)
  }
  const months: { period: string }[] = []
  for (let month = from_period; month <= to_period; month = monthsFrom(month, 1)) months.push({ period: month })
  return months
}
