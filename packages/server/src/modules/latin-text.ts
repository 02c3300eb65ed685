import { checkText } from '@timbre/dte/values'
import { Text } from '../kernel/schema.ts'
import { addFormat } from '../kernel/validate.ts'

addFormat('latin-line', {
  check: (value) => checkText(value, value.length) === null && !/[\t\r\n]/.test(value),
  code: 'invalid_field',
  says: 'it must be one line of ISO-8859-1 text, the alphabet of the SII: no emoji, no curly quotes, no long dashes',
})

/** A line that ends up in a DTE. What does not fit is refused, never cut or replaced. */
export function LatinLine(max: number, options: object = {}) {
  return Text(max, { format: 'latin-line', ...options })
}
