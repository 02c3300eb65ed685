import { parseRut } from '../rut.ts'
import { ControlRefusal } from './route.ts'

type Input = Record<string, unknown>

/** Readers of a JSON body; each refuses in words what it cannot take. Absent and null are the same. */
export function optionalText(input: Input, name: string): string | null {
  const value = input[name] ?? null
  if (value !== null && typeof value !== 'string') throw new ControlRefusal(`${name} must be text.`)
  return value
}

export function requiredText(input: Input, name: string): string {
  const value = optionalText(input, name)
  if (!value) throw new ControlRefusal(`${name} is missing.`)
  return value
}

export function optionalNumber(input: Input, name: string): number | null {
  const value = input[name] ?? null
  if (value !== null && (typeof value !== 'number' || !Number.isFinite(value))) {
    throw new ControlRefusal(`${name} must be a number.`)
  }
  return value
}

export function optionalFlag(input: Input, name: string): boolean | null {
  const value = input[name] ?? null
  if (value !== null && typeof value !== 'boolean') throw new ControlRefusal(`${name} must be true or false.`)
  return value
}

export function optionalInstant(input: Input, name: string): number | null {
  const value = optionalText(input, name)
  if (value === null) return null
  const instant = Date.parse(value)
  if (Number.isNaN(instant)) throw new ControlRefusal(`${name} must be a date and time, as 2026-10-05T12:00:00Z.`)
  return instant
}

export function requiredRut(input: Input, name: string): string {
  const rut = parseRut(requiredText(input, name))
  if (!rut) throw new ControlRefusal(`${name} is not a RUT: its check digit does not match.`)
  return rut
}

export function optionalObject(input: Input, name: string): Input | null {
  const value = input[name] ?? null
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    throw new ControlRefusal(`${name} must be an object.`)
  }
  return value as Input | null
}

export function optionalList(input: Input, name: string): unknown[] | null {
  const value = input[name] ?? null
  if (value !== null && !Array.isArray(value)) throw new ControlRefusal(`${name} must be a list.`)
  return value
}

export function oneOf<T extends string>(input: Input, name: string, choices: readonly T[]): T {
  const value = requiredText(input, name)
  if (!(choices as readonly string[]).includes(value)) {
    throw new ControlRefusal(`${name} must be one of ${choices.join(', ')}.`)
  }
  return value as T
}
