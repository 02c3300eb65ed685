import { checkText } from '@timbre/dte/values'
import { addFormat } from '../kernel/ajv.ts'
import { MultiLine, OneLine } from '../kernel/schema.ts'

const ALPHABET = 'ISO-8859-1, the alphabet of the SII: no emoji, no curly quotes, no long dashes, no tabs'

addFormat('latin-line', {
  check: (value) => checkText(value, value.length) === null,
  code: 'invalid_field',
  says: `it must be one line in ${ALPHABET}`,
})
addFormat('latin-text', {
  check: (value) => checkText(value, value.length, { multiline: true }) === null,
  code: 'invalid_field',
  says: `it must be text in ${ALPHABET}`,
})

/** A line that ends up in a DTE. What does not fit is refused, never cut or replaced. */
export function LatinLine(max: number, options: object = {}) {
  return OneLine(max, { format: 'latin-line', pattern: '\\S', ...options })
}

/** The same over several lines, for what is only printed. */
export function LatinText(max: number, options: object = {}) {
  return MultiLine(max, { format: 'latin-text', ...options })
}
