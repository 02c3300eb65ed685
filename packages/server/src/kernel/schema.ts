import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { CEILINGS } from '../catalog/limits.ts'

/** Objects of the wire are closed: a misspelt field is refused, never ignored. */
export function Closed<P extends TProperties>(properties: P, options: object = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** Marks, under keys that no wire shows, what need not be one line: see `test/request-schemas.test.ts`. */
export const MANY_LINES = Symbol('text over several lines')
export const NOT_PRINTED = Symbol('compared or parsed, and never printed')

/**
 * No control character at all, the breaks of a line among them: with one of those a text could end its field in a mail,
 * a page, a CSV or somebody else's protocol, and begin another. Nor one that turns the direction of writing (Unicode, UAX 9): what
 * people read would not be what is written.
 */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'
export const ONE_LINE_OR_EMPTY = `^[^${CONTROLS}]*$`
/** The same, and not blank: spaces, a character that is none, and whatever else is no control. */
export const ONE_LINE = `^[ \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff]*[^\\s${CONTROLS}]${ONE_LINE_OR_EMPTY.slice(1)}`

/** A month, as 2026-11. */
export const YEAR_MONTH = '^[0-9]{4}-(0[1-9]|1[0-2])$'

/** A line of text that people read: not blank, counted in characters. What is text and nothing else is this. */
export function OneLine(max: number, options: object = {}) {
  return Type.String({ minLength: 1, maxLength: max, pattern: ONE_LINE, ...options })
}

/** Text that people read over several lines: only for what is never put into a line of anything. */
export function MultiLine(max: number, options: object = {}) {
  return Type.String({ minLength: 1, maxLength: max, pattern: '\\S', [MANY_LINES]: true, ...options })
}

/** Text that is compared with ours, or read by a parser of its own, and never printed: an id, a token, a password, a file. */
export function Opaque(max: number, options: object = {}) {
  return Type.String({ maxLength: max, [NOT_PRINTED]: true, ...options })
}

/** The same schema, or null. A type list and not a union: its refusals name the rule instead of "no branch matched". */
export function Nullable<T extends TSchema>(schema: T, options: object = {}) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  if (typeof type !== 'string') throw new Error('only a plain type can be made nullable')
  const nulled = { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }), ...options }
  return Type.Unsafe<Static<T> | null>(nulled)
}

/** One of a few words. */
export function OneOf<const T extends readonly string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

export const Timestamp = Type.Unsafe<string>({ type: 'string', format: 'date-time', maxLength: 40 })
export const CivilDate = Type.Unsafe<string>({ type: 'string', format: 'date', maxLength: 10 })

/** An id as a caller sends it: one that we never gave out is not found, whatever it looks like. */
export const Id = Opaque(CEILINGS.id_chars)

/** A file inside JSON: base64, in lines or in one. */
export function Base64(max: number, options: object = {}) {
  const pattern = '^[A-Za-z0-9+/\\r\\n]+(?:={1,2}[\\r\\n]*)?$'
  return Type.String({ minLength: 1, maxLength: max, contentEncoding: 'base64', pattern, ...options })
}
export const Email = Type.Unsafe<string>({ type: 'string', format: 'email', minLength: 3, maxLength: 254 })

const paging = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: CEILINGS.list_max, default: CEILINGS.list_default, description: 'Page size.' }),
  ),
  cursor: Type.Optional(Opaque(500, { description: '`next_cursor` of the previous page.' })),
}

/** The query of a list: its own filters beside `limit` and `cursor`. */
export function listQuery<P extends TProperties>(filters: P) {
  return Closed({ ...filters, ...paging })
}

/** The list envelope around a resource. */
export function listOf<T extends TSchema>(item: T) {
  return Closed({
    object: Type.Literal('list'),
    data: Type.Array(item),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
  })
}

/** A resource under its own name in the OpenAPI document. */
export function Named<T extends TObject>(title: string, schema: T): T {
  return { ...schema, title }
}

/** Text that opens something for whoever has it: a secret, a token, the address of a link. It is told once. */
export function OneTimeSecret(description: string) {
  return Type.String({ description, 'x-secret': true })
}

/** Most answers hold the same few schemas. */
const known_secrets = new WeakMap<object, boolean>()

/** Whether an answer carries such a text, anywhere in it. */
export function carriesSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const known = known_secrets.get(schema)
  if (known !== undefined) return known
  const carries = 'x-secret' in schema || Object.values(schema).some(carriesSecret)
  known_secrets.set(schema, carries)
  return carries
}

/** A file instead of a resource: what a verb gives back when it `returns: artifact('application/pdf')`. */
export interface Artifact {
  readonly media_type: string
  readonly bytes: Uint8Array
  /** Letters, digits, dots, dashes and underscores only. */
  readonly filename: string
}

export function artifact(media_type: string) {
  return Type.Unsafe<Artifact>({ type: 'string', contentMediaType: media_type, 'x-artifact': true })
}

/** A file that is written while it is read, and never held whole. */
export interface StreamedArtifact extends Omit<Artifact, 'bytes'> {
  readonly stream: AsyncIterable<Uint8Array>
}

/** One of these, as the caller chooses. */
export function streamedArtifact(media_types: readonly string[]) {
  return Type.Unsafe<StreamedArtifact>({ type: 'string', 'x-artifact': true, 'x-media-types': [...media_types] })
}

/** Whether an answer is such a file. */
export function isStreamed(schema: object | null): boolean {
  return schema !== null && 'x-media-types' in schema
}

export function mediaTypesOf(schema: ArtifactSchema): readonly string[] {
  return schema['x-media-types'] ?? [schema.contentMediaType ?? 'application/octet-stream']
}

interface ArtifactSchema {
  readonly contentMediaType?: string
  readonly 'x-media-types'?: readonly string[]
}

export function isArtifact(schema: object | null): schema is ArtifactSchema {
  return schema !== null && 'x-artifact' in schema
}
