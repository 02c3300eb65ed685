import { drift } from '../failure.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The rows of an answer; an answer without any has null in place of a list. */
export function rowsOf(value: unknown, name: string): readonly JsonRecord[] {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) throw drift(name)
  return value.map((row) => {
    if (!isRecord(row)) throw drift(`${name}[]`)
    return row
  })
}

/**
 * A number or an amount of a row, which may come as a text; one that is left blank is 0, one that is absent is drift. So
 * is one with decimals: pesos have none, and `1.234` would be a thousand times less than was meant.
 */
export function numberIn(row: JsonRecord, name: string): number {
  const value = row[name]
  if (value === null || value === '') return 0
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw drift(name)
  return number
}

/** A text of a row; numbers are written out. Null where it is blank, drift where it is absent. */
export function textIn(row: JsonRecord, name: string): string | null {
  const value = row[name]
  if (value === undefined) throw drift(name)
  if (value === null || value === '') return null
  if (typeof value !== 'string' && typeof value !== 'number') throw drift(name)
  return String(value).trim()
}
