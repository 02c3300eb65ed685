import type { ValidateFunction } from 'ajv'
import type { TObject } from 'typebox'
import { ajvFor } from './ajv.ts'
import { invalidField, type Problem, refuseAll } from './problem.ts'
import { oddNumber, schemaFaults } from './schema-faults.ts'
import { below, refusalOf, unknownField } from './schema-refusal.ts'

const compiled = new WeakMap<TObject, ValidateFunction>()

function checkOf(schema: TObject, place: 'query' | 'body'): ValidateFunction {
  let check = compiled.get(schema)
  if (!check) {
    check = ajvFor(place).compile(schema)
    compiled.set(schema, check)
  }
  return check
}

/** A misspelt name is told before the right one is missed: it is the more useful of the two. */
function firstUnknown(schema: TObject, value: unknown, place: string): Problem | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  const known = schema.properties
  for (const key of Object.keys(value)) if (!Object.hasOwn(known, key)) return unknownField(key, place)
  return null
}

function firstOddNumber(schema: TObject, query: Record<string, unknown>): Problem | null {
  for (const [name, text] of Object.entries(query)) {
    const odd = oddNumber(schema.properties[name] as object, text, name)
    if (odd) return odd
  }
  return null
}

function firstFault(schema: TObject, value: unknown, place: 'query' | 'body'): Problem | null {
  const check = checkOf(schema, place)
  const unknown = firstUnknown(schema, value, place)
  if (unknown) return unknown
  const odd = place === 'query' ? firstOddNumber(schema, value as Record<string, unknown>) : null
  if (odd) return odd
  if (check(value)) return null
  const [first] = check.errors ?? []
  return first ? refusalOf(first, place) : null
}

const NO_FAULTS: readonly Problem[] = []

/**
 * What is wrong with one part of a request by its schema. What is right is checked in one pass; of what is not, the first
 * fault comes first, and then the others. A fault that was found `before` precedes them.
 */
export function faultsOf(
  schema: TObject,
  value: unknown,
  place: 'query' | 'body',
  before: Problem | null = null,
): readonly Problem[] {
  const first = firstFault(schema, value, place)
  if (!first && !before) return NO_FAULTS
  return [...(before ? [before] : []), ...(first ? [first, ...schemaFaults(schema, value, place)] : [])]
}

/** Refuses what its schema does not take, for everything that is wrong with it. */
export function validate(schema: TObject, value: unknown, place: 'query' | 'body'): void {
  refuseAll(faultsOf(schema, value, place))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

function unprintable(text: string): boolean {
  return CONTROL.test(text) || !text.isWellFormed()
}

/** The way to the first text in a value that holds one, innermost name first; null where none does. */
function wayToUnprintable(value: unknown): string[] | null {
  if (typeof value === 'string') return unprintable(value) ? [] : null
  if (value === null || typeof value !== 'object') return null
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const way = wayToUnprintable(value[i])
      if (way) return [...way, `[${i}]`]
    }
    return null
  }
  for (const [key, inner] of Object.entries(value)) {
    // A name is as free as a value where a caller chooses it, and is stored with it.
    const way = unprintable(key) ? [] : wayToUnprintable(inner)
    if (way) return [...way, unprintable(key) ? '?' : key]
  }
  return null
}

/**
 * A control character or broken surrogate anywhere in a value, the names of its fields included: PostgreSQL cannot store NUL,
 * the SII refuses the others, and none is ever meant. A path is written for the one that is found and for nothing else;
 * `parseJson` bounds the depth.
 */
export function controlCharacter(value: unknown, at = ''): Problem | null {
  const way = wayToUnprintable(value)
  if (!way) return null
  const path = way.reduceRight((path, key) => (key.startsWith('[') ? path + key : below(path, key)), at)
  return invalidField(path === '' ? 'body' : path, 'it holds a control character or a broken one.')
}

export function refuseControlCharacters(value: unknown, at: string): void {
  const fault = controlCharacter(value, at)
  if (fault) throw fault
}
