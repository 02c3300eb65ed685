import { type Json, mapSchemas } from './components.ts'
import { pascal } from './names.ts'

/** A schema that is repeated is worth a name from this length on: a reference takes as much as a smaller one. */
const WORTH_A_NAME = 160

const textOf = (schema: Json) => JSON.stringify(schema)
const isObject = (schema: Json) => 'properties' in schema

interface Place {
  readonly name: string
  readonly schema: Json
  count: number
}

/**
 * Names each object that stands in more than one place after the first: the receptor of a `DocumentCreate` is a
 * `DocumentCreateReceptor` wherever it comes again. The largest first, so that what is inside it is counted once.
 */
export function shareSchemas(schemas: Record<string, unknown>): void {
  const places = new Map<string, Place>()
  const count = (schema: Json, path: string): void => {
    mapSchemas(schema, (inner, keyword, name) => {
      const at = name === undefined ? path : path + pascal(name)
      const inside = keyword === 'items' ? at.replace(/(?<![su])s$/, '') : at
      if (isObject(inner)) {
        const text = textOf(inner)
        const known = places.get(text)
        if (known) known.count++
        else places.set(text, { name: inside, schema: inner, count: 1 })
      }
      count(inner, inside)
      return inner
    })
  }
  for (const [title, schema] of Object.entries(schemas)) count(schema as Json, title)

  const named = new Map<string, string>()
  const repeated = [...places].filter(([text, { count: times }]) => times > 1 && text.length >= WORTH_A_NAME)
  for (const [text, { name }] of repeated.sort(([a], [b]) => b.length - a.length)) {
    const isTaken = (title: string) => title in schemas || [...named.values()].includes(title)
    named.set(text, [name, `${name}Value`, `${name}Variant`].find((title) => !isTaken(title)) ?? text)
  }
  const refer = (schema: Json): unknown => {
    const name = isObject(schema) ? named.get(textOf(schema)) : undefined
    return name === undefined ? mapSchemas(schema, refer) : { $ref: `#/components/schemas/${name}` }
  }
  for (const [title, schema] of Object.entries(schemas)) schemas[title] = mapSchemas(schema as Json, refer)
  for (const [text, name] of named) schemas[name] = mapSchemas(places.get(text)?.schema ?? {}, refer)
}
