import { TIPO_NUMBERS, type Tipo, type TipoDte, tipo } from '../tipos.ts'
import type { Kind } from './kinds.ts'

/** One element that holds a value. */
export interface Field {
  /** Empty for a value that is checked like the others and has no element of its own. */
  readonly xml: string
  /** Where the value lives inside the value of its group, by the names of the API. */
  readonly at: readonly string[]
  readonly kind: Kind
  readonly tipos: readonly number[]
  readonly required: readonly number[]
  /** More than one only for an element that repeats; its value is then a list. */
  readonly max: number
  /** Computed by the engine: absent from drafts. */
  readonly computed: boolean
  /** A value given for a tipo outside `tipos` is refused instead of left out. */
  readonly strict: boolean
  /** The element has another row too, so a text that is no value here may be one there. */
  readonly shared: boolean
  /** What to write when the value is absent. */
  readonly fallback: ((value: unknown, tipo_dte: number, index: number) => unknown) | undefined
}

/** One element that holds others. */
export interface Group {
  readonly xml: string
  readonly at: readonly string[]
  readonly rows: readonly Row[]
  readonly tipos: readonly number[]
  /** Zero for a group that occurs once; otherwise the most times it may. */
  readonly max: number
  /** The most times for a tipo, where tipos differ. */
  readonly maxFor: ((tipo_dte: TipoDte) => number) | undefined
  readonly min: number
  readonly strict: boolean
  /** Its required fields are asked for even when the caller left the whole group out. */
  readonly required: boolean
  /** How our lists map to the elements, when it is not one list at `at`. */
  readonly view: View | undefined
  /** Puts what was read under our names, when one element feeds more than one of them. */
  readonly settle: ((value: Record<string, unknown>) => void) | undefined
}

export type Row = Field | Group

export const isGroup = (row: Row): row is Group => 'rows' in row

const inEnvelope = (envelope: Tipo['envelope']) => TIPO_NUMBERS.filter((number) => tipo(number).envelope === envelope)

export const DTE: readonly TipoDte[] = inEnvelope('EnvioDTE')
export const BOLETA: readonly TipoDte[] = inEnvelope('EnvioBOLETA')
export const ALL: readonly TipoDte[] = [...DTE, ...BOLETA]
export const NONE: readonly TipoDte[] = []

type FieldOptions = Partial<Pick<Field, 'tipos' | 'required' | 'max' | 'computed' | 'strict' | 'shared' | 'fallback'>>

const split = (path: string): readonly string[] => (path === '' ? [] : path.split('.'))

export function field(xml: string, at: string, kind: Kind, options: FieldOptions = {}): Field {
  const { tipos = ALL, required = NONE, max = 1, computed = false, strict = false, shared = false, fallback } = options
  return { xml, at: split(at), kind, tipos, required, max, computed, strict, shared, fallback }
}

type GroupOptions = Partial<Pick<Group, 'tipos' | 'max' | 'maxFor' | 'min' | 'strict' | 'required' | 'view' | 'settle'>>

export function group(xml: string, at: string, rows: readonly Row[], options: GroupOptions = {}): Group {
  const { tipos = ALL, max = 0, maxFor, min = 0, strict = false, required = false, view, settle } = options
  return { xml, at: split(at), rows, tipos, max, maxFor, min, strict, required, view, settle }
}

/** The value at a path, or undefined where any step is missing; a null stays one. Works on anything a caller sends. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = ownValue(found, name)
  return found
}

/** One step of it. */
export function ownValue(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined
  return (holder as Record<string, unknown>)[name]
}

/** Sets the value at a path, making the objects on the way. */
export function putAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let holder = target
  for (const name of path.slice(0, -1)) {
    const next = holder[name]
    if (typeof next === 'object' && next !== null) holder = next as Record<string, unknown>
    else {
      const made: Record<string, unknown> = {}
      holder[name] = made
      holder = made
    }
  }
  const last = path.at(-1)
  if (last !== undefined) holder[last] = value
}

/** A member of a repeated group and the path that names it to the caller. */
export interface Member {
  readonly path: readonly (string | number)[]
  readonly value: unknown
}

export interface View {
  readonly lists: readonly string[]
  /** At most `limit` members, in the order they are written. */
  members(value: unknown, limit: number): readonly Member[]
  /** Adds a member that was read to the list it belongs to. */
  place(target: Record<string, unknown>, member: Record<string, unknown>): void
}

/** The members of a repeated group; never more than `limit`, however long a list the caller sends. */
export function membersOf(value: unknown, { at, view }: Group, limit: number): readonly Member[] {
  return view === undefined ? listMembers(value, at, limit) : view.members(value, limit)
}

export function listMembers(value: unknown, at: readonly string[], limit: number): Member[] {
  const list = valueAt(value, at)
  if (!Array.isArray(list)) return []
  const members: Member[] = []
  // A list may have holes, which `map` would pass over.
  for (let index = 0; index < list.length && index < limit; index++)
    members.push({ path: [...at, index], value: list[index] })
  return members
}
