import type { TSchema } from 'typebox'
import { isArtifact } from '../kernel/schema.ts'
import { comment } from './comment.ts'

/** Whether a value is sent or answered: a list that is sent may be readonly, a field that is sent may be undefined. */
export type Direction = 'sent' | 'answered'

interface Shape {
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Shape
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly contentEncoding?: string
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

const quoted = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)
const literal = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value))
const union = (types: readonly string[]) => [...new Set(types)].join(' | ')
const inList = (type: string) => (/[|&]/.test(type) && !/^[{(]/.test(type) ? `(${type})` : type)

const hasFields = ({ type, properties = {} }: Shape) => type === 'object' && Object.keys(properties).length > 0

/** Turns the schemas that validate into types. What has a title is declared once and referred to from then on. */
export class TypeWriter {
  readonly #declared = new Map<string, string>()
  /** The schemas of what was declared by name. */
  readonly #sources = new Map<string, string>()
  readonly #written: Readonly<Record<string, string>>

  /** `written` names the types that another file declares in place of their schemas. */
  constructor(written: Readonly<Record<string, string>> = {}) {
    this.#written = written
  }

  /** Every type that was named so far, by its name. */
  get declarations(): ReadonlyMap<string, string> {
    return new Map([...this.#declared].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  /** Declares a schema under a name; its own title wins. */
  declare(name: string, schema: TSchema, direction: Direction): string {
    const shape = schema as Shape
    const title = shape.title ?? name
    const source = JSON.stringify(shape)
    const known = this.#sources.get(title)
    if (known !== undefined && known !== source) throw new Error(`${title} is the name of two types`)
    this.#sources.set(title, source)
    return this.#name(title, shape, direction)
  }

  /** The type of a schema, to be written at an indentation. */
  text(schema: TSchema, direction: Direction, indent = ''): string {
    return this.#type(schema as Shape, direction, indent)
  }

  #name(name: string, shape: Shape, direction: Direction): string {
    const elsewhere = this.#written[name]
    if (elsewhere !== undefined) return elsewhere
    if (!this.#declared.has(name)) {
      // Claimed before its inside is written, so that a schema that mentions itself ends.
      this.#declared.set(name, '')
      const about = comment([shape.description])
      const { title: _, ...bare } = shape
      const written = this.#type(bare, direction, '')
      const declaration = hasFields(bare) ? `export interface ${name} ${written}` : `export type ${name} = ${written}`
      this.#declared.set(name, `${about}${declaration}\n`)
    }
    return name
  }

  #type(shape: Shape, direction: Direction, indent: string): string {
    if (isArtifact(shape)) throw new Error('a file is no value of JSON')
    if (shape.title !== undefined) return this.#name(shape.title, shape, direction)
    if ('const' in shape) return literal(shape.const)
    if (shape.enum) return union(shape.enum.map(literal))
    const branches = shape.anyOf ?? shape.oneOf
    if (branches) return union(branches.map((branch) => this.#type(branch, direction, indent)))
    if (Array.isArray(shape.type)) {
      return union(shape.type.map((type: string) => this.#type({ ...shape, type }, direction, indent)))
    }
    if (shape.type === 'array') return this.#list(shape, direction, indent)
    if (hasFields(shape)) return this.#object(shape, direction, indent)
    if (shape.type === 'object' && shape.additionalProperties === false) return 'Record<string, never>'
    if (shape.type === 'object') return `Record<string, ${this.#anyValue(shape, direction, indent)}>`
    if (shape.contentEncoding === 'base64' && direction === 'sent') return 'string | Uint8Array'
    return PLAIN[shape.type as string] ?? 'unknown'
  }

  #list({ items }: Shape, direction: Direction, indent: string): string {
    const item = items ? inList(this.#type(items, direction, indent)) : 'unknown'
    return direction === 'sent' ? `readonly ${item}[]` : `${item}[]`
  }

  #anyValue({ additionalProperties, patternProperties }: Shape, direction: Direction, indent: string): string {
    const [pattern] = Object.values(patternProperties ?? {})
    const value = pattern ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
    return value ? this.#type(value, direction, indent) : 'unknown'
  }

  #object({ properties = {}, required = [] }: Shape, direction: Direction, indent: string): string {
    const inner = `${indent}  `
    const fields = Object.entries(properties).map(([name, field]) => {
      const optional = !required.includes(name)
      const type = this.#type(field, direction, inner)
      const absent = optional && direction === 'sent' ? ' | undefined' : ''
      return `${this.#about(field, inner)}${inner}${quoted(name)}${optional ? '?' : ''}: ${type}${absent}\n`
    })
    return `{\n${fields.join('')}${indent}}`
  }

  #about(field: Shape, indent: string): string {
    const [example] = field.examples ?? []
    return comment(
      [
        // A named type tells about itself.
        field.title === undefined ? field.description : undefined,
        field.default === undefined ? undefined : `@default ${JSON.stringify(field.default)}`,
        example === undefined ? undefined : `@example ${JSON.stringify(example)}`,
      ],
      indent,
    )
  }
}
