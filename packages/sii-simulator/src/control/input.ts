import { parseRut } from '../rut.ts'
import { ControlRefusal } from './route.ts'

/**
 * What a control body may hold: each route declares its fields, and a field its bounds. A body with a field that was not
 * declared is refused too, for it would be a misspelt one that does nothing.
 */
export type Input = Readonly<Record<string, unknown>>

/** Reads a value that is there, or refuses it with a sentence that names the field and the bound. */
export type Field<T> = (value: unknown, name: string) => T

type Fields = Readonly<Record<string, Field<unknown>>>
type Read<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]> }

export function readInput<F extends Fields>(input: Input, fields: F, within = ''): Read<F> {
  const path = (name: string) => (within === '' ? name : `${within}.${name}`)
  const names = Object.keys(fields)
  for (const name of Object.keys(input)) {
    if (names.includes(name)) continue
    const known = names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`
    throw new ControlRefusal(`There is no field ${path(shortened(name))}: ${known}.`)
  }
  return Object.fromEntries(names.map((name) => [name, fields[name]?.(input[name], path(name))])) as Read<F>
}

/** Absent and null are the same. */
export function optional<T>(field: Field<T>): Field<T | null> {
  return (value, name) => (value === undefined || value === null ? null : field(value, name))
}

/** Absent leaves things as they are (undefined); null takes the value away. */
export function nullable<T>(field: Field<T>): Field<T | null | undefined> {
  return (value, name) => (value === undefined || value === null ? value : field(value, name))
}

export function text(most: number): Field<string> {
  return (value, name) => {
    if (value === undefined || value === null || value === '') throw new ControlRefusal(`${name} is missing.`)
    if (typeof value !== 'string') throw new ControlRefusal(`${name} must be text.`)
    if (value.length > most) throw new ControlRefusal(`${name} must have at most ${most} characters.`)
    return value
  }
}

export function matching(form: RegExp, example: string): Field<string> {
  return (value, name) => {
    const read = text(100)(value, name)
    if (!form.test(read)) throw new ControlRefusal(`${name} is written ${example}.`)
    return read
  }
}

export function number(least: number, most: number): Field<number> {
  return (value, name) => {
    if (value === undefined || value === null) throw new ControlRefusal(`${name} is missing.`)
    if (typeof value !== 'number' || !(least <= value && value <= most))
      throw new ControlRefusal(`${name} must be a number from ${least} to ${most}.`)
    return value
  }
}

export function whole(least: number, most: number): Field<number> {
  return (value, name) => {
    const read = number(least, most)(value, name)
    if (!Number.isInteger(read)) throw new ControlRefusal(`${name} must be a whole number from ${least} to ${most}.`)
    return read
  }
}

export const flag: Field<boolean> = (value, name) => {
  if (typeof value !== 'boolean') throw new ControlRefusal(`${name} must be true or false.`)
  return value
}

/** The years in which a date of a DTE may lie (fecha of DTE_v10.xsd), which are those of the simulator's clock. */
export const FIRST_INSTANT = Date.UTC(2000, 0, 1)
export const LAST_INSTANT = Date.UTC(2050, 11, 31)

export const instant: Field<number> = (value, name) => {
  const read = Date.parse(text(40)(value, name))
  if (Number.isNaN(read)) throw new ControlRefusal(`${name} must be a date and time, as 2026-10-05T12:00:00Z.`)
  if (read < FIRST_INSTANT || read > LAST_INSTANT)
    throw new ControlRefusal(`${name} must be between 2000-01-01 and 2050-12-31.`)
  return read
}

export const rut: Field<string> = (value, name) => {
  const read = parseRut(text(20)(value, name))
  if (!read) throw new ControlRefusal(`${name} is not a RUT: its check digit does not match.`)
  return read
}

export function oneOf<T extends string | number>(choices: readonly T[]): Field<T> {
  return (value, name) => {
    if (value === undefined || value === null) throw new ControlRefusal(`${name} is missing.`)
    const found = choices.find((choice) => choice === value)
    if (found === undefined) throw new ControlRefusal(`${name} must be one of ${choices.join(', ')}.`)
    return found
  }
}

export function list<T>(most: number, item: Field<T>): Field<T[]> {
  return (value, name) => {
    if (!Array.isArray(value)) throw new ControlRefusal(`${name} must be a list.`)
    if (value.length > most) throw new ControlRefusal(`${name} must hold at most ${most}.`)
    return value.map((one, at) => item(one, `${name}[${at}]`))
  }
}

export function object<F extends Fields>(fields: F): Field<Read<F>> {
  return (value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ControlRefusal(`${name} must be an object.`)
    return readInput(value as Input, fields, name)
  }
}

function shortened(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name
}
