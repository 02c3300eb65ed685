import { addPeriods } from '@timbre/dte/values'
import { Type } from 'typebox'
import { YEAR_MONTH } from '../../../kernel/schema.ts'

export const Period = Type.String({
  pattern: YEAR_MONTH,
  maxLength: 7,
  description: 'A tax period: `YYYY-MM`, a month of America/Santiago.',
  examples: ['2026-10'],
})

/** The month the register begins with: books of purchases and sales went by file before it (Res. Ex. SII 61 of 2017). */
export const FIRST_PERIOD = '2017-08'

/** The first day of a month and the first day of the next one. */
export function daysOfPeriod(period: string): readonly [first: string, after: string] {
  return [`${period}-01`, `${addPeriods(period, 1)}-01`]
}
