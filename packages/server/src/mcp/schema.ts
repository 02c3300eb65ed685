import { formatSays } from '../kernel/ajv.ts'
import { type ValueWords, valuesSentence } from './values.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** What a field means, by its name and the name of what holds it; undefined where nothing is known. */
export type Words = (name: string, holder: string | null) => string | undefined

/** What is known of the fields of one operation: their meaning, and that of the values they choose from. */
export interface Vocabulary {
  readonly words: Words
  readonly values: ValueWords
}

const NO_WORDS: Vocabulary = { words: () => undefined, values: () => undefined }

/** `created_at[gte]` -> `created_at_gte`: models are given names of letters, digits and underscores only. */
export function argumentName(name: string): string {
  return name.replace(/\[(\w+)\]/g, '_$1')
}

/** The values that a field, or each of a list, is chosen from. */
function choiceOf({ enum: values, items, anyOf }: JsonSchema): readonly (string | number)[] {
  if (Array.isArray(values)) return values.filter((value) => value !== null)
  const [inner] = [items, ...((anyOf as JsonSchema[] | undefined) ?? [])].filter((one) => typeof one === 'object')
  return inner ? choiceOf(inner as JsonSchema) : []
}

/** Formats of our own are described in words: no client knows them, and some refuse what they do not know. */
function described(schema: JsonSchema, own_name: string | null, holder: string | null, of: Vocabulary): JsonSchema {
  const { format, ...rest } = schema
  const meaning = own_name === null ? undefined : of.words(own_name, holder)
  const own = typeof rest.description === 'string' ? rest.description : meaning
  const says = typeof format === 'string' ? formatSays(format) : null
  const sentence = says === null ? undefined : `${says.charAt(0).toUpperCase()}${says.slice(1)}.`
  const choice =
    own_name === null ? undefined : valuesSentence(choiceOf(schema), own ?? '', of.values(own_name, holder))
  const description = [own, choice, sentence].filter((text) => text !== undefined).join(' ')
  return { ...(says === null ? schema : rest), ...(description !== '' && { description }) }
}

const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  object: ['properties', 'patternProperties', 'required', 'additionalProperties', 'propertyNames', 'maxProperties'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  boolean: [],
  null: [],
}
const TYPED = new Set(Object.values(OF_TYPE).flat())
const typeOf = (value: unknown) => (value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value)

/** One branch for each type: a list of types is valid JSON Schema, and yet inspectors warn of it and some models refuse it. */
function oneTypeABranch(schema: JsonSchema): JsonSchema {
  const { type, enum: values, ...rest } = schema
  if (!Array.isArray(type)) return schema
  const shared = Object.entries(rest).filter(([key]) => !TYPED.has(key))
  const branch = (one: string) => {
    const own = Object.entries(rest).filter(([key]) => OF_TYPE[one]?.includes(key))
    const named = Array.isArray(values) && one !== 'null' && { enum: values.filter((value) => typeOf(value) === one) }
    return { type: one, ...Object.fromEntries(own), ...named }
  }
  return { ...Object.fromEntries(shared), anyOf: type.map((one) => branch(one as string)) }
}

/** An object of any fields, as inspectors know it: the same said by a pattern of names is a schema that says nothing. */
function openObject(schema: JsonSchema): JsonSchema {
  const { patternProperties, ...rest } = schema
  const [any, ...others] = Object.entries((patternProperties ?? {}) as Record<string, JsonSchema>)
  const is_open = any !== undefined && others.length === 0 && takesAnything(any[1])
  return is_open ? { ...rest, additionalProperties: true } : schema
}

/** Whether a schema only says something and asks for nothing. */
export const takesAnything = (schema: JsonSchema) =>
  Object.keys(schema).every((key) => key === 'description' || key === 'title' || key.startsWith('~'))

/** Applies a function to the schemas directly inside one schema; a property comes with its name. */
function mapInner(schema: JsonSchema, change: (inner: JsonSchema, name: string | null) => JsonSchema): JsonSchema {
  const named = (value: unknown) =>
    Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, change(one as JsonSchema, name)]))
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties') return [key, named(value)]
      if (key === 'anyOf' || key === 'oneOf' || key === 'allOf')
        return [key, (value as JsonSchema[]).map((one) => change(one, null))]
      const holdsSchema = key === 'items' || key === 'additionalProperties' || key === 'propertyNames' || key === 'not'
      return holdsSchema && typeof value === 'object' ? [key, change(value as JsonSchema, null)] : [key, value]
    }),
  )
}

/** Patterns that keep control characters out and blanks from counting: true of every text, and hundreds of tokens in a list. */
const isHousekeeping = (key: string, value: unknown) =>
  key === 'pattern' && typeof value === 'string' && (value === '\\S' || value.includes('\\u0000-\\u001f'))

/** A schema of ours as plain JSON Schema in words: no keyword and no format of our own, and every property told. */
export function plainSchema(schema: JsonSchema, of: Vocabulary = NO_WORDS, name: string | null = null): JsonSchema {
  const within = (one: JsonSchema, own: string | null, holder: string | null): JsonSchema => {
    const { title, ...rest } = described(one, own, holder, of)
    const kept = Object.entries(rest).filter(
      ([key, value]) => !key.startsWith('x-') && !key.startsWith('~') && !isHousekeeping(key, value),
    )
    const portable = openObject(oneTypeABranch(Object.fromEntries(kept)))
    return mapInner(portable, (inner, inner_name) => within(inner, inner_name, own ?? holder))
  }
  return within(schema, name, null)
}

/** The same for what we answer: fields may be added at any time, and a client that checks must not stumble over one. */
export function answerSchema(schema: JsonSchema): JsonSchema {
  const open = (one: JsonSchema): JsonSchema => {
    const { additionalProperties, ...rest } = one
    return mapInner(additionalProperties === false ? rest : one, open)
  }
  return open(plainSchema(schema))
}
