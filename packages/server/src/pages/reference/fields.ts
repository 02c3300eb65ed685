import type { TSchema } from 'typebox'
import { type Html, html, prose } from '../html.ts'

/** The keywords of a schema that a reader needs. */
export interface Shape {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'timestamp',
  date: 'civil date',
  email: 'e-mail',
  uri: 'address',
  rut: 'RUT',
  rut_or_all: 'RUT or *',
}

const DEEPEST = 4

/** The branch that carries the fields, where the other one is only null. */
function nonNull(shape: Shape): Shape {
  const branches = shape.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return branches.length === 1
    ? { ...branches[0], ...(shape.description && { description: shape.description }) }
    : shape
}

function isNullable({ type, anyOf }: Shape): boolean {
  return (Array.isArray(type) && type.includes('null')) || (anyOf?.some((branch) => branch.type === 'null') ?? false)
}

function range({ minimum, maximum, maxLength, maxItems }: Shape): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (maximum !== undefined) return `at most ${maximum}`
  if (minimum !== undefined) return `${minimum} or more`
  if (maxLength !== undefined) return `at most ${maxLength} characters`
  return maxItems === undefined ? '' : `at most ${maxItems}`
}

function kind(shape: Shape): string {
  const { type, format, items } = nonNull(shape)
  const plain = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  if (plain === 'array') return `list of ${items ? kind(items) : 'values'}`
  return FORMATS[format ?? ''] ?? plain ?? 'any'
}

function about(shape: Shape): Html {
  const inner = nonNull(shape)
  const values = (inner.enum ?? inner.items?.enum ?? []).filter((value) => value !== null)
  // A date is as long as a date is: the format says it.
  const limits = inner.format === undefined ? range(inner) : ''
  const parts = [
    inner.description && prose(inner.description),
    inner.const !== undefined && html`Always <code>${String(inner.const)}</code>.`,
    values.length > 0 && html`One of ${values.map((value, i) => html`${i > 0 && ', '}<code>${String(value)}</code>`)}.`,
    limits !== '' && `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`,
    inner.default !== undefined && html`Default <code>${JSON.stringify(inner.default)}</code>.`,
  ].filter((part) => part !== false && part !== undefined && part !== '')
  return html`${parts.map((part, i) => html`${i > 0 && ' '}${part}`)}`
}

/** How the fields of one schema are shown. */
interface Showing {
  /** What the anchors of its fields begin with: an operation's id, or the name of an object. */
  readonly anchor: string
  /** Whether a field can be required: not one of an answer, where all are there. */
  readonly marks_required: boolean
  /** Where the fields of a named object are told, so that they are told once; null of one that has no page. */
  readonly homeOf?: HomeOf
}

/** `items[].unit_price` of `documents.create` -> `documents.create.items.unit_price`. */
export const fieldAnchor = (anchor: string, path: string) => `${anchor}.${path.replaceAll('[]', '')}`

/** A field and those inside it, by their dotted paths as `error.param` names them. */
export interface Field {
  readonly path: string
  readonly shape: Shape
  readonly required: boolean
  readonly inner: readonly Field[]
}

type HomeOf = (name: string) => string | null

/** The fields of a schema; those inside a named object that has a page of its own are left to that page. */
export function fieldsOf(schema: Shape, homeOf: HomeOf = () => null, path = '', depth = 0): Field[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).map(([name, shape]) => {
    const at = path === '' ? name : `${path}.${name}`
    const inner = nonNull(shape)
    const below = inner.items ? nonNull(inner.items) : inner
    const is_told = below.title !== undefined && homeOf(below.title) !== null
    const deeper = depth < DEEPEST && below.properties !== undefined && !is_told
    return {
      path: at,
      shape,
      required: required.includes(name),
      inner: deeper ? fieldsOf(below, homeOf, inner.items ? `${at}[]` : at, depth + 1) : [],
    }
  })
}

/** The named object that a field holds, or a list of, where it has a page: its fields are told there. */
function namedIn(shape: Shape, { homeOf }: Showing): Html | null {
  const inner = nonNull(shape)
  const { title } = inner.items ? nonNull(inner.items) : inner
  const href = (title && homeOf?.(title)) ?? null
  return href === null ? null : html`${inner.items && 'list of '}<a href="${href}">${title}</a>`
}

function itemOf({ path, shape, required, inner }: Field, showing: Showing): Html {
  const named = namedIn(shape, showing)
  const id = fieldAnchor(showing.anchor, path)
  const must = showing.marks_required && required && html` <strong>required</strong>`
  const list = inner.length > 0 && listOf(inner, showing)
  // What may be sent is read whole; what is answered is looked up.
  const below =
    list && showing.marks_required
      ? list
      : list && html`<details><summary>${inner.length} fields of <code>${path}</code></summary>${list}</details>`
  return html`<li id="${id}"><a href="#${id}"><code>${path}</code></a> <small>${named ?? kind(shape)}${isNullable(shape) && ' or null'}</small>${must}
<span>${about(shape)}</span>${below}</li>`
}

function listOf(fields: readonly Field[], showing: Showing): Html {
  return html`<ul class="fields">${fields.map((field) => itemOf(field, showing))}</ul>`
}

/** The fields of a schema, each with an address of its own; null where it has none. */
export function fieldList(schema: TSchema, showing: Showing): Html | null {
  const fields = fieldsOf(schema as Shape, showing.homeOf)
  return fields.length === 0 ? null : listOf(fields, showing)
}
