import type { TSchema } from 'typebox'

export type Json = Record<string, unknown>

/** Gathers the named schemas of a contract: each is written once under components and referred to from then on. */
export class Components {
  readonly schemas: Record<string, unknown> = {}
  readonly responses: Record<string, unknown> = {}
  readonly #named = new Map<string, string>()

  /** A schema as OpenAPI 3.1 takes it, which is JSON Schema; what has a title moves to the components. */
  place(schema: TSchema): unknown {
    return this.#walk(schema as Json)
  }

  /** Refusals repeat across operations: each distinct one is written once and referred to. */
  refusal(status: number, response: Json): unknown {
    const text = JSON.stringify(response)
    const known = this.#named.get(text)
    const others = Object.keys(this.responses).filter((name) => name.startsWith(`Refused${status}`)).length
    const name = known ?? (others === 0 ? `Refused${status}` : `Refused${status}_${others + 1}`)
    this.#named.set(text, name)
    this.responses[name] = response
    return { $ref: `#/components/responses/${name}` }
  }

  #walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#walk(item))
    if (value === null || typeof value !== 'object') return value
    const { title, ...rest } = value as Json
    if (typeof title !== 'string') return this.#inside(rest)
    // Claimed before its inside is walked, so that a schema that mentions itself ends.
    if (!(title in this.schemas)) {
      this.schemas[title] = null
      this.schemas[title] = this.#inside(rest)
    }
    return { $ref: `#/components/schemas/${title}` }
  }

  #inside(schema: Json): Json {
    return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, this.#walk(inner)]))
  }
}

interface PropertyBag {
  readonly properties: Record<string, Json>
  readonly required?: readonly string[]
}

/** The properties of a params or query schema as OpenAPI parameters. */
export function parametersOf(components: Components, schema: TSchema | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties, required = [] } = schema as unknown as PropertyBag
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: components.place(rest as TSchema),
  }))
}
