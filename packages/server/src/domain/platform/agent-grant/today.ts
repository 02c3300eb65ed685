import { santiagoDate } from '@timbre/dte/values'
import { systemNow } from '../../../kernel/clock.ts'

/** The day a limit counts by, in real time: an agent that moves a test clock gains nothing by it. */
export function grantDay(): string {
  return santiagoDate(new Date(systemNow()))
}
