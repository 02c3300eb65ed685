import { _, Ajv, type ErrorObject, str, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TObject } from 'typebox'
import { invalidField, Problem } from './problem.ts'
import { ONE_LINE, ONE_LINE_OR_EMPTY } from './schema.ts'

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

export function addFormat(name: string, format: WireFormat): void {
  wireFormats.set(name, format)
  for (const ajv of [strict, lenient]) ajv.addFormat(name, format.check)
}

/** A format of ours in words; null for one that everybody knows. */
export function formatSays(name: string): string | null {
  return wireFormats.get(name)?.says ?? null
}

const compiled = new WeakMap<TObject, ValidateFunction>()

function unknownField(param: string, place: string): Problem {
  const what = place === 'query' ? 'query parameter' : 'field'
  return new Problem('invalid_field', { param, message: `${param}: there is no such ${what}.` })
}

/** A misspelt name is told before the right one is missed: it is the more useful of the two. */
function refuseUnknown(schema: TObject, value: unknown, place: string): void {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return
  const known = schema.properties
  for (const key of Object.keys(value)) if (!Object.hasOwn(known, key)) throw unknownField(key, place)
}

const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/

/** Text that JavaScript would read as a number and no person would: 1e999 is infinite, 0x10 is sixteen. */
function refuseOddNumbers(schema: TObject, query: Record<string, unknown>): void {
  for (const [name, text] of Object.entries(query)) {
    const { type } = schema.properties[name] as { type?: string }
    const numeric = type === 'integer' || type === 'number'
    if (numeric && !DECIMAL.test(String(text)))
      throw invalidField(name, `it must be ${type === 'integer' ? 'an' : 'a'} ${type}.`)
  }
}

/** Checks one part of a request against its schema; the first thing wrong with it is named. */
export function validate(schema: TObject, value: unknown, place: 'query' | 'body'): void {
  let check = compiled.get(schema)
  if (!check) {
    check = (place === 'query' ? lenient : strict).compile(schema)
    compiled.set(schema, check)
  }
  refuseUnknown(schema, value, place)
  if (place === 'query') refuseOddNumbers(schema, value as Record<string, unknown>)
  if (check(value)) return
  const [first] = check.errors ?? []
  if (first) throw refusalOf(first, place)
}

/** A list of plain values marked `x-whole` is refused under its own name: which of its places is wrong says nothing more. */
function placeOf(error: ErrorObject): string {
  const marks = error.parentSchema as { 'x-whole'?: boolean; 'x-excess-at-index'?: boolean }
  if (error.keyword === 'maxItems' && marks['x-excess-at-index']) {
    return `${dotted(error.instancePath)}[${error.params.limit}]`
  }
  return dotted(marks['x-whole'] ? error.instancePath.replace(/\/\d+$/, '') : error.instancePath)
}

/** `/items/0/unit_price` -> `items[0].unit_price`, as the caller would write it. */
export function dotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, key) => (/^\d+$/.test(key) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`), '')
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function refusalOf(error: ErrorObject, place: string): Problem {
  const at = placeOf(error)
  if (error.keyword === 'additionalProperties') {
    const param = below(at, String(error.params.additionalProperty))
    return unknownField(param, place)
  }
  if (error.keyword === 'required') {
    const param = below(at, String(error.params.missingProperty))
    const properties = (error.parentSchema as { properties?: Record<string, { format?: string }> }).properties
    const format = wireFormats.get(properties?.[String(error.params.missingProperty)]?.format ?? '')
    return new Problem(format?.code ?? 'invalid_field', { param, message: `${param}: it is required.` })
  }
  const param = at === '' ? place : at
  const format = wireFormats.get((error.parentSchema as { format?: string }).format ?? '')
  return new Problem(format?.code ?? 'invalid_field', { param, message: `${param}: ${reason(error, format)}.` })
}

/** Well-known formats in words: the name alone would send a person to look it up. */
const KNOWN: Readonly<Record<string, string>> = {
  date: 'it must be a date that exists, as YYYY-MM-DD',
  'date-time': 'it must be a timestamp of RFC 3339 with its zone, such as 2026-01-31T12:00:00Z',
  email: 'it must be an e-mail address',
}

/** A format of ours says what it asks for; of one that only narrows text, "it must be string" is the truer answer. */
function saysOf(error: ErrorObject, format: WireFormat | undefined): string | undefined {
  const { format: name = '' } = error.parentSchema as { format?: string }
  if (error.keyword === 'format') return format?.says ?? KNOWN[name]
  // A text that a format narrows may be long: there the length is the reason. What has one shape has it wrong.
  if (error.keyword === 'maxLength' && format?.code === 'invalid_field') return undefined
  if (error.keyword === 'maxLength') return format?.says ?? KNOWN[name]
  return error.keyword === 'type' && format?.code === 'invalid_rut' ? format.says : undefined
}

function reason(error: ErrorObject, format: WireFormat | undefined): string {
  const says = saysOf(error, format)
  if (says !== undefined) return says
  const { enum: values, pattern } = error.parentSchema as { enum?: unknown[]; pattern?: string }
  if ((error.keyword === 'minLength' || error.keyword === 'minItems') && error.params.limit === 1) {
    return 'it must not be empty'
  }
  if (error.keyword === 'maxItems') return `at most ${error.params.limit} are taken`
  if (error.keyword === 'enum' && values) return `it must be one of ${values.map((value) => String(value)).join(', ')}`
  if (error.keyword === 'pattern' && pattern === '\\S') return 'it must not be blank'
  if (error.keyword === 'pattern' && (pattern === ONE_LINE || pattern === ONE_LINE_OR_EMPTY)) {
    const blank = pattern === ONE_LINE && String(error.data).trim() === ''
    return blank ? 'it must not be blank' : 'it must be one line, without breaks, tabs or other control characters'
  }
  return `it ${error.message ?? 'is not valid'}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

function unprintable(text: string): boolean {
  return CONTROL.test(text) || !text.isWellFormed()
}

/** The way to the first text in a value that holds one, innermost name first; null where none does. */
function wayToUnprintable(value: unknown): string[] | null {
  if (typeof value === 'string') return unprintable(value) ? [] : null
  if (value === null || typeof value !== 'object') return null
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const way = wayToUnprintable(value[i])
      if (way) return [...way, `[${i}]`]
    }
    return null
  }
  for (const [key, inner] of Object.entries(value)) {
    // A name is as free as a value where a caller chooses it, and is stored with it.
    const way = unprintable(key) ? [] : wayToUnprintable(inner)
    if (way) return [...way, unprintable(key) ? '?' : key]
  }
  return null
}

/**
 * Refuses control characters and broken surrogates anywhere in a value, the names of its fields included: PostgreSQL cannot store NUL, the SII refuses the
 * others, and none is ever meant. A path is written for the one that is found and for nothing else; `parseJson` bounds
 * the depth.
 */
export function refuseControlCharacters(value: unknown, at = ''): void {
  const way = wayToUnprintable(value)
  if (!way) return
  const path = way.reduceRight((path, key) => (key.startsWith('[') ? path + key : below(path, key)), at)
  throw invalidField(path === '' ? 'body' : path, 'it holds a control character or a broken one.')
}
