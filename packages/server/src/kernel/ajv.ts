import { _, Ajv, str } from 'ajv'
import formats from 'ajv-formats'

/** A domain's own string format, and the code it is refused with. */
export interface WireFormat {
  readonly check: (value: string) => boolean
  readonly code: 'invalid_field' | 'invalid_rut'
  readonly says: string
}

const wireFormats = new Map<string, WireFormat>()

function openAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    coerceTypes,
    useDefaults: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    // They are ours, and a test holds them to the rules of JSON Schema: compiling those rules takes longer than all else of a
    // first answer.
    validateSchema: false,
    // The library's own shortening takes a third of a compilation, and what it makes checks no faster.
    code: { optimize: false },
  })
  ajv.addKeyword('x-whole')
  ajv.addKeyword('x-excess-at-index')
  countLengths(ajv)
  formats.default(ajv, ['date', 'date-time', 'email', 'uri', 'duration'])
  for (const name of ['date', 'date-time'] as const) ajv.addFormat(name, onCalendar(name))
  return ajv
}

const hasAtMost = (text: string, most: number) =>
  text.length <= most || (text.length <= 2 * most && [...text].length <= most)

const hasAtLeast = (text: string, least: number) => text.length >= 2 * least || [...text].length >= least

/** Characters are counted only where the number of code units leaves it open: the library counts those of every file. */
function countLengths(ajv: Ajv): void {
  const rules = { maxLength: ['more', hasAtMost], minLength: ['fewer', hasAtLeast] } as const
  for (const [keyword, [word, holds]] of Object.entries(rules)) {
    ajv.removeKeyword(keyword)
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      before: 'pattern',
      compile: (limit: number) => (text: string) => holds(text, limit),
      error: {
        message: ({ schemaCode }) => str`must NOT have ${word} than ${schemaCode} characters`,
        params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
      },
    })
  }
}

/** The format admits leap seconds and the year 0000; the calendars of JavaScript and of PostgreSQL do not both. */
function onCalendar(name: 'date' | 'date-time'): (value: string) => boolean {
  const known = formats.default.get(name) as { validate: (value: string) => boolean }
  return (value) => known.validate(value) && value >= '1900' && !Number.isNaN(Date.parse(value))
}

// Bodies are taken as they are. Only a query string, where everything is text, is read into numbers and booleans.
const strict = openAjv(false)
const lenient = openAjv(true)

export const ajvFor = (place: 'query' | 'body'): Ajv => (place === 'query' ? lenient : strict)

export function addFormat(name: string, format: WireFormat): void {
  wireFormats.set(name, format)
  for (const ajv of [strict, lenient]) ajv.addFormat(name, format.check)
}

export const wireFormat = (name: string | undefined): WireFormat | undefined => wireFormats.get(name ?? '')

/** A format of ours in words; null for one that everybody knows. */
export function formatSays(name: string): string | null {
  return wireFormat(name)?.says ?? null
}
