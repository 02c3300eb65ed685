import type { TSchema } from 'typebox'
import type { Operation } from '../domain/operation.ts'
import { pascal, requestName } from './names.ts'

export type Json = Record<string, unknown>

/** Keywords whose values are schemas by name, in a list, or one. Whatever else a schema holds is no schema. */
const BY_NAME = ['properties', 'patternProperties']
const IN_A_LIST = ['anyOf', 'oneOf', 'allOf']
const ALONE = ['items', 'additionalProperties', 'propertyNames', 'not']

/** A schema with every schema inside it changed. */
export function mapSchemas(schema: Json, change: (inner: Json, keyword: string, name?: string) => unknown): Json {
  const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (IN_A_LIST.includes(keyword)) return [keyword, (value as Json[]).map((one) => change(one, keyword))]
      if (ALONE.includes(keyword) && isSchema(value)) return [keyword, change(value, keyword)]
      if (!BY_NAME.includes(keyword)) return [keyword, value]
      const inner = Object.entries(value as Record<string, Json>)
      return [keyword, Object.fromEntries(inner.map(([name, one]) => [name, change(one, keyword, name)]))]
    }),
  )
}

/** Gathers what a contract repeats: each schema, parameter and answer is written once under its name and referred to. */
export class Components {
  readonly schemas: Record<string, unknown> = {}
  readonly responses: Record<string, unknown> = {}
  readonly parameters: Record<string, unknown> = {}
  readonly examples: Record<string, unknown> = {}
  readonly #sources = new Map<string, string>()
  readonly #taken: ReadonlySet<string>

  /** `taken` are the names of answers. */
  constructor(taken: ReadonlySet<string>) {
    this.#taken = taken
  }

  /** What an operation takes, under a name that no answer has. */
  placeBody(schema: TSchema, operation: Operation): { readonly name: string; readonly schema: unknown } {
    const name = requestName(operation, this.#taken)
    return { name, schema: this.place(schema, name) }
  }

  /** A schema as OpenAPI 3.1 takes it, which is JSON Schema; what has a title, or is given one, moves to the components. */
  place(schema: TSchema | Json, title?: string): unknown {
    return this.#walk({ ...(schema as Json), ...(title && { title }) })
  }

  /** One that is written by hand, and refers to others itself. */
  write(title: string, schema: Json): Json {
    this.schemas[title] ??= schema
    return { $ref: `#/components/schemas/${title}` }
  }

  /** An answer by its name; one that differs, by a header of its own, is written where it stands. */
  response(name: string, response: Json): Json {
    this.responses[name] ??= response
    const same = JSON.stringify(this.responses[name]) === JSON.stringify(response)
    return same ? { $ref: `#/components/responses/${name}` } : response
  }

  /** A parameter by its name; one of the same name that is another has its own text where it stands. */
  parameter(parameter: Json): Json {
    const { name, in: place } = parameter as { name: string; in: string }
    const key = place === 'header' ? name : `${pascal(place)}${pascal(name)}`
    const text = JSON.stringify(parameter)
    if (!(key in this.parameters)) this.parameters[key] = parameter
    return JSON.stringify(this.parameters[key]) === text ? { $ref: `#/components/parameters/${key}` } : parameter
  }

  #walk(schema: Json): unknown {
    const { title, ...rest } = schema
    const inside = () => mapSchemas(rest, (inner) => this.#walk(inner))
    if (typeof title !== 'string') return inside()
    const source = JSON.stringify(rest)
    const known = this.#sources.get(title)
    // A variant of what has the name, such as one that may be null, is no longer that.
    if (known !== undefined && known !== source) return inside()
    // Claimed before its inside is walked, so that a schema that mentions itself ends.
    if (!(title in this.schemas)) {
      this.#sources.set(title, source)
      this.schemas[title] = null
      this.schemas[title] = inside()
    }
    return { $ref: `#/components/schemas/${title}` }
  }
}
