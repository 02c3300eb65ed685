import { formatSays } from '../kernel/ajv.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** `created_at[gte]` -> `created_at_gte`: models are given names of letters, digits and underscores only. */
export function argumentName(name: string): string {
  return name.replace(/\[(\w+)\]/g, '_$1')
}

/** Formats of our own are described in words: no client knows them, and some refuse what they do not know. */
function described(schema: JsonSchema): JsonSchema {
  const { format, ...rest } = schema
  const says = typeof format === 'string' ? formatSays(format) : null
  if (says === null) return schema
  const before = typeof rest.description === 'string' ? `${rest.description} ` : ''
  return { ...rest, description: `${before}${says.charAt(0).toUpperCase()}${says.slice(1)}.` }
}

/** Applies a function to the schemas directly inside one schema. */
function mapInner(schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const named = (value: unknown) =>
    Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, change(inner as JsonSchema)]))
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties') return [key, named(value)]
      if (key === 'anyOf' || key === 'oneOf' || key === 'allOf') return [key, (value as JsonSchema[]).map(change)]
      const holdsSchema = key === 'items' || key === 'additionalProperties' || key === 'propertyNames' || key === 'not'
      return holdsSchema && typeof value === 'object' ? [key, change(value as JsonSchema)] : [key, value]
    }),
  )
}

/** A schema of ours as plain JSON Schema: no keyword and no format of our own. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  const { title, ...rest } = described(schema)
  const own = Object.entries(rest).filter(([key]) => !key.startsWith('x-') && !key.startsWith('~'))
  return mapInner(Object.fromEntries(own), plainSchema)
}

/** The same for what we answer: fields may be added at any time, and a client that checks must not stumble over one. */
export function answerSchema(schema: JsonSchema): JsonSchema {
  const open = (one: JsonSchema): JsonSchema => {
    const { additionalProperties, ...rest } = one
    return mapInner(additionalProperties === false ? rest : one, open)
  }
  return open(plainSchema(schema))
}
