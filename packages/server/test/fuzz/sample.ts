// Values that a schema takes.

import type { Draw } from './chance.ts'

/** As much of JSON Schema as the wire uses. */
export interface Shape {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Shape
  readonly items?: Shape
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly format?: string
  readonly pattern?: string
  readonly contentEncoding?: string
}

/** Strings that one format or pattern or another takes. */
const BY_FORMAT: Readonly<Record<string, readonly string[]>> = {
  rut: ['76192083-9', '77123456-9', '66666666-6', '1-9'],
  rut_or_all: ['*', '76192083-9'],
  email: ['ana@ejemplo.cl', `${'a'.repeat(60)}@ejemplo.cl`],
  typed_email: ['ana@ejemplo.cl', ' Ana@Ejemplo.cl '],
  date: ['2026-09-03', '1900-01-01', '9999-12-31', '2026-02-28'],
  'date-time': [
    '2026-09-03T12:00:00Z',
    '1900-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999Z',
    '2027-01-01T00:00:00-03:00',
  ],
  duration: ['P1D', 'PT1H', 'P1M', 'PT0.5S', 'P13M', 'P9999Y'],
  'latin-line': ['Café Ñandú', 'x', '¿Qué?'],
  'latin-text': ['Dos\nlíneas'],
  event_pattern: ['document.*', '*', 'document.accepted'],
  uri: ['https://ejemplo.cl/x', 'http://127.0.0.1:1/'],
}
const PLAIN = [
  'hola',
  'https://ejemplo.cl/',
  '520',
  '2026-09',
  'CLP',
  'CL',
  '1',
  'Pérez e Hijos',
  'aGk=',
  'sandbox_banco_prueba',
]

function text(shape: Shape, draw: Draw): string {
  const fits = (value: string) =>
    [...value].length >= (shape.minLength ?? 0) &&
    [...value].length <= (shape.maxLength ?? 1e9) &&
    (shape.pattern === undefined || new RegExp(shape.pattern, 'u').test(value))
  const known = (BY_FORMAT[shape.format ?? ''] ?? PLAIN).filter(fits)
  if (known.length > 0) return draw.one(known)
  return 'a'.repeat(Math.max(shape.minLength ?? 1, 1))
}

function number(shape: Shape, draw: Draw, whole: boolean): number {
  const least = shape.minimum ?? (shape.exclusiveMinimum ?? -1) + 1
  const most = shape.maximum ?? Math.max(least, 1_000_000)
  const value = draw.one([
    least,
    most,
    Math.min(most, Math.max(least, 1)),
    least + draw.below(Math.min(most - least, 100) + 1),
  ])
  return whole ? Math.round(value) : value
}

export interface Sampling {
  /** How much of what a schema allows besides what it requires. */
  readonly share: number
  /** The bytes of a file, where one is asked for. */
  readonly file: (draw: Draw) => Uint8Array
}

/** A value of a schema: what it requires, and a share of what it allows besides. */
export function sample(shape: Shape, draw: Draw, how: Sampling): unknown {
  const { share } = how
  if (shape.contentEncoding === 'base64') return Buffer.from(how.file(draw)).toString('base64')
  if ('const' in shape) return shape.const
  if (shape.enum) return draw.one(shape.enum)
  if (shape.anyOf) return sample(draw.one(shape.anyOf), draw, how)
  const type = Array.isArray(shape.type) ? draw.one(shape.type as string[]) : shape.type
  if (type === 'object') {
    const required = shape.required ?? []
    const names = Object.keys(shape.properties ?? {}).filter((name) => required.includes(name) || draw.often(share))
    const own = names.map((name) => [name, sample(shape.properties?.[name] ?? {}, draw, how)])
    const more = typeof shape.additionalProperties === 'object' && draw.often(0.5)
    return Object.fromEntries(more ? [...own, ['clave', sample(shape.additionalProperties as Shape, draw, how)]] : own)
  }
  if (type === 'array') {
    const least = shape.minItems ?? 0
    const count = Math.max(least, Math.min(shape.maxItems ?? 3, draw.below(3) + 1))
    return Array.from({ length: count }, () => sample(shape.items ?? {}, draw, how))
  }
  if (type === 'integer' || type === 'number') return number(shape, draw, type === 'integer')
  if (type === 'boolean') return draw.often(0.5)
  if (type === 'null') return null
  return text(shape, draw)
}
