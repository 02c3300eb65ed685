import type { ErrorObject, ValidateFunction } from 'ajv'
import type { TObject } from 'typebox'
import { CEILINGS } from '../catalog/limits.ts'
import { ajvFor } from './ajv.ts'
import { invalidField, type Problem } from './problem.ts'
import { below, dotted, missingField, refusalOf, unknownField } from './schema-refusal.ts'

type Place = 'query' | 'body'

interface Shape {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Shape
  readonly items?: Shape
  readonly format?: string
}

const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/

/** Text that JavaScript would read as a number and no person would: 1e999 is infinite, 0x10 is sixteen. */
export function oddNumber({ type }: Shape, text: unknown, name: string): Problem | null {
  if ((type !== 'integer' && type !== 'number') || DECIMAL.test(String(text))) return null
  return invalidField(name, `it must be ${type === 'integer' ? 'an' : 'a'} ${type}.`)
}

const checks = { query: new Map<string, ValidateFunction>(), body: new Map<string, ValidateFunction>() }
const known = { query: new WeakMap<Shape, ValidateFunction>(), body: new WeakMap<Shape, ValidateFunction>() }

/** The check of a part alone. Schemas that ask for the same are compiled once: most fields are one of a few kinds of text. */
function checkOf(shape: Shape, place: Place): ValidateFunction {
  const ready = known[place].get(shape)
  if (ready) return ready
  // A default is refused at the root of a schema, and words make no difference.
  const { default: _, description: __, title: ___, examples: ____, ...asked } = shape as Record<string, unknown>
  const text = JSON.stringify(asked)
  const check = checks[place].get(text) ?? ajvFor(place).compile(asked)
  checks[place].set(text, check)
  known[place].set(shape, check)
  return check
}

const parts = new WeakMap<Shape, Shape>()

/** What a schema asks of a list or a map as a whole, without what it asks of each member. */
function wholeOf(shape: Shape): Shape {
  let whole = parts.get(shape)
  if (!whole) {
    const { items: _, additionalProperties: __, ...rest } = shape
    whole = rest
    parts.set(shape, whole)
  }
  return whole
}

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * Goes through an input part by part. The library could list every fault by itself, but would make a list of thousands for
 * an input of thousands: here it ends where enough was found.
 */
class FaultWalk {
  readonly found: Problem[] = []
  readonly place: Place

  constructor(place: Place) {
    this.place = place
  }

  get #full(): boolean {
    return this.found.length > CEILINGS.errors_told
  }

  /** `at` is a JSON pointer. */
  walk(shape: Shape, value: unknown, at: string): void {
    if (this.#full) return
    if (Array.isArray(value) && shape.items) {
      this.#check(wholeOf(shape), value, at)
      for (let i = 0; i < value.length && !this.#full; i++) this.walk(shape.items, value[i], `${at}/${i}`)
    } else if (typeof value !== 'object' || value === null || Array.isArray(value)) this.#check(shape, value, at)
    else if (shape.properties) this.#object(shape, value as Record<string, unknown>, at)
    else if (typeof shape.additionalProperties === 'object') {
      this.#check(wholeOf(shape), value, at)
      for (const [key, inner] of Object.entries(value))
        this.walk(shape.additionalProperties, inner, `${at}/${escaped(key)}`)
    } else this.#check(shape, value, at)
  }

  #object(shape: Shape, value: Record<string, unknown>, at: string): void {
    const { properties = {}, required = [] } = shape
    const path = dotted(at)
    for (const key of Object.keys(value)) {
      if (this.#full) return
      if (!Object.hasOwn(properties, key)) this.found.push(unknownField(below(path, key), this.place))
    }
    for (const key of required) {
      if (value[key] === undefined) this.found.push(missingField(below(path, key), key, shape))
    }
    for (const [key, inner] of Object.entries(properties)) {
      if (value[key] !== undefined) this.walk(inner, value[key], `${at}/${escaped(key)}`)
    }
  }

  #check(shape: Shape, value: unknown, at: string): void {
    const odd = this.place === 'query' ? oddNumber(shape, value, dotted(at)) : null
    const check = odd ? null : checkOf(shape, this.place)
    const [error] = check === null || check(value) ? [] : (check.errors as ErrorObject[])
    if (odd) this.found.push(odd)
    else if (error) this.found.push(refusalOf(error, this.place, at))
  }
}

/** Everything in which a part of a request differs from its schema, in the order of the schema, up to one more than is told. */
export function schemaFaults(schema: TObject, value: unknown, place: Place): readonly Problem[] {
  const walk = new FaultWalk(place)
  walk.walk(schema as Shape, value, '')
  return walk.found
}
