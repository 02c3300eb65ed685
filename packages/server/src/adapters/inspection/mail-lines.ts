import { MAIL } from '../../catalog/limits.ts'
import type { Fault } from '../../ports/inspection.ts'

const NEWLINE = 0x0a
const DASH = 0x2d

/** What is left for one mail and for the mails inside it. */
export interface LinesLeft {
  lines: number
  dividing: number
}

export function linesOfOneMail(): LinesLeft {
  return { lines: MAIL.lines, dividing: MAIL.dividing_lines }
}

/**
 * Counts the lines of a mail before it is taken apart. Each line and each part costs a parser microseconds and objects of
 * its own, so that ten megabytes of the shortest ones would take minutes and gigabytes.
 */
export function countLines(raw: Uint8Array, left: LinesLeft): Fault | null {
  for (let at = 0; at >= 0 && at < raw.length; at = raw.indexOf(NEWLINE, at) + 1 || -1) {
    left.lines--
    if (raw[at] === DASH && raw[at + 1] === DASH) left.dividing--
    if (left.lines < 0) return { reason: 'bomb', message: `The mail has more than ${MAIL.lines} lines.` }
    if (left.dividing < 0) {
      return { reason: 'bomb', message: `More than ${MAIL.dividing_lines} lines of the mail may divide its parts.` }
    }
  }
  return null
}
