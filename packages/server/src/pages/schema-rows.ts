import type { TSchema } from 'typebox'
import { table } from './docs-layout.ts'
import { type Html, html, prose } from './html.ts'

/** The keywords of a schema that a reader needs. */
interface Shape {
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
  const limits = range(inner)
  return html`${inner.description && prose(inner.description)}
${inner.const !== undefined && html`Always <code>${String(inner.const)}</code>.`}
${values.length > 0 && html`<span class="soft">One of ${values.map((value, i) => html`${i > 0 && ', '}<code>${String(value)}</code>`)}.</span>`}
${limits !== '' && html` <span class="soft">${limits.charAt(0).toUpperCase() + limits.slice(1)}.</span>`}
${inner.default !== undefined && html` <span class="soft">Default <code>${JSON.stringify(inner.default)}</code>.</span>`}`
}

function rowsOf(shape: Shape, marks: boolean, path = '', depth = 0): Html[] {
  const { properties = {}, required = [] } = shape
  return Object.entries(properties).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`
    const inner = nonNull(field)
    const row = html`<tr><td><code>${at}</code></td><td>${kind(field)}${isNullable(field) && ' or null'}${marks && required.includes(name) && html`<br><strong>required</strong>`}</td><td>${about(field)}</td></tr>`
    const below = inner.items ? nonNull(inner.items) : inner
    if (depth >= DEEPEST || !below.properties) return [row]
    return [row, ...rowsOf(below, marks, inner.items ? `${at}[]` : at, depth + 1)]
  })
}

/** The fields of a schema as a table, nested ones by their dotted path as `error.param` names them. */
export function fieldTable(schema: TSchema, options: { marks_required: boolean }): Html | null {
  const rows = rowsOf(schema as Shape, options.marks_required)
  return rows.length === 0 ? null : table(['Field', 'Type', 'About'], rows)
}

/** The name of an answer: the resource, a list of it, or no body. */
export function answerName(schema: TSchema | null): string {
  if (schema === null) return 'no body'
  const { title, properties } = schema as Shape
  if (title) return title
  const item = properties?.object?.const === 'list' ? properties.data?.items : undefined
  return item ? `list of ${item.title ?? 'objects'}` : 'an object'
}
