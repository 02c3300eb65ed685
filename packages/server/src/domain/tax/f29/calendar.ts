import { addPeriods } from '@timbre/dte/values'
import { nextBusinessDay } from '../../../kernel/business-days.ts'

/** Who invoices electronically and files by internet has until the 20th; the others until the 12th (D.S. 1.001 of 2006). */
export function dueDateOf(period: string, filer: 'electronic' | 'other' = 'electronic'): string {
  const month = addPeriods(period, 1)
  return nextBusinessDay(`${month}-${filer === 'electronic' ? '20' : '12'}`)
}
