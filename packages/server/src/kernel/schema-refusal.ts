import type { ErrorObject } from 'ajv'
import { type WireFormat, wireFormat } from './ajv.ts'
import { Problem } from './problem.ts'
import { ONE_LINE, ONE_LINE_OR_EMPTY, YEAR_MONTH } from './schema.ts'

export function unknownField(param: string, place: string): Problem {
  const what = place === 'query' ? 'query parameter' : 'field'
  return new Problem('invalid_field', { param, message: `${param}: there is no such ${what}.` })
}

/** A list of plain values marked `x-whole` is refused under its own name: which of its places is wrong says nothing more. */
function placeOf(error: ErrorObject, at: string): string {
  const marks = error.parentSchema as { 'x-whole'?: boolean; 'x-excess-at-index'?: boolean }
  const pointer = at + error.instancePath
  if (error.keyword === 'maxItems' && marks['x-excess-at-index']) return `${dotted(pointer)}[${error.params.limit}]`
  return dotted(marks['x-whole'] ? pointer.replace(/\/\d+$/, '') : pointer)
}

/** `/items/0/unit_price` -> `items[0].unit_price`, as the caller would write it. */
export function dotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, key) => (/^\d+$/.test(key) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`), '')
}

export function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

interface Named {
  readonly properties?: Readonly<Record<string, { readonly format?: string }>>
}

/** A missing field that has a code of its own is refused with it, as a wrong one would be. */
export function missingField(param: string, name: string, { properties }: Named): Problem {
  const format = wireFormat(properties?.[name]?.format)
  return new Problem(format?.code ?? 'invalid_field', { param, message: `${param}: it is required.` })
}

/** What the library found, as a refusal. `at` points to the part of the input that was given to it. */
export function refusalOf(error: ErrorObject, place: string, at = ''): Problem {
  const path = placeOf(error, at)
  if (error.keyword === 'additionalProperties') {
    return unknownField(below(path, String(error.params.additionalProperty)), place)
  }
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty)
    return missingField(below(path, name), name, error.parentSchema as Named)
  }
  const param = path === '' ? place : path
  const format = wireFormat((error.parentSchema as { format?: string }).format)
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
  if (error.keyword === 'pattern' && pattern === YEAR_MONTH) return 'it must be a month that exists, as YYYY-MM'
  if (error.keyword === 'pattern' && pattern === '\\S') return 'it must not be blank'
  if (error.keyword === 'pattern' && (pattern === ONE_LINE || pattern === ONE_LINE_OR_EMPTY)) {
    const blank = pattern === ONE_LINE && String(error.data).trim() === ''
    return blank ? 'it must not be blank' : 'it must be one line, without breaks, tabs or other control characters'
  }
  return `it ${error.message ?? 'is not valid'}`
}
