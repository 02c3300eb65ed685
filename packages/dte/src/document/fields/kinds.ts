import { isDocumentDate } from '../../dates.ts'
import { canonicalRut, isRut } from '../../rut.ts'
import { checkText } from '../../text.ts'
import { escapeText } from '../../xml/write.ts'
import { decimalsOf, MAX_PESOS } from '../money.ts'

/** What one value may be, how it is written in XML and how it is read back. */
export interface Kind {
  /** Null when the value may be written. */
  check(value: unknown): { readonly rule: string; readonly message: string } | null
  /** Escaped text, or null when this value is expressed by leaving the element out. */
  write(value: unknown): string | null
  /** The value, or undefined when the text is none. Reading forgives what emitters do and the SII let pass. */
  read(text: string): unknown
}

const wrongType = (expected: string) => ({ rule: 'type', message: `must be ${expected}` })

export function text(max: number, options?: { readonly multiline: boolean }): Kind {
  return {
    check: (value) => (typeof value === 'string' ? checkText(value, max, options) : wrongType('a text')),
    write: (value) => escapeText(String(value)),
    read: (content) => (content === '' ? undefined : content),
  }
}

export const rut: Kind = {
  check: (value) => {
    if (typeof value !== 'string') return wrongType('a RUT')
    return isRut(value) ? null : { rule: 'rut', message: 'must be a RUT like 76543210-3 with its right check digit' }
  },
  write: String,
  read: (content) => canonicalRut(content) ?? undefined,
}

export const date: Kind = {
  check: (value) => {
    if (typeof value !== 'string') return wrongType('a date')
    return isDocumentDate(value) ? null : { rule: 'date', message: 'must be a date YYYY-MM-DD from 2000 to 2050' }
  },
  write: String,
  // Some emitters append a time or a zone to a date.
  read: (content) => (isDocumentDate(content.slice(0, 10)) ? content.slice(0, 10) : undefined),
}

export function integer(min: number, max: number): Kind {
  return {
    check: (value) => {
      if (typeof value !== 'number') return wrongType('a number')
      if (!Number.isSafeInteger(value)) return { rule: 'integer', message: 'must be a whole number' }
      return value < min || value > max ? { rule: 'range', message: `must be between ${min} and ${max}` } : null
    },
    write: String,
    read: (content) => {
      // Amounts with a decimal part of zeros are common in foreign files.
      const whole = /^([+-]?\d{1,18})(?:\.0*)?$/.exec(content)
      const value = whole === null ? Number.NaN : Number(whole[1])
      return Number.isSafeInteger(value) ? value : undefined
    },
  }
}

export const pesos = integer(0, MAX_PESOS)
export const signedPesos = integer(-MAX_PESOS, MAX_PESOS)
/** Pesos of an element that cannot hold zero: zero is said by its absence. */
export const positivePesos: Kind = { ...pesos, write: (value) => (value === 0 ? null : String(value)) }

/**
 * A number with decimals. Zero is checked but not written: the schema's decimals start above it. A JavaScript number
 * this small or large never prints with an exponent.
 */
export function decimal(decimals: number, max: number, min = 0): Kind {
  return {
    check: (value) => {
      if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType('a number')
      if (value < min || value > max) return { rule: 'range', message: `must be between ${min} and ${max}` }
      const message = `must have at most ${decimals} decimals`
      return decimalsOf(value) > decimals ? { rule: 'decimals', message } : null
    },
    write: (value) => (value === 0 ? null : String(value)),
    read: readDecimal,
  }
}

function readDecimal(content: string): number | undefined {
  if (!/^[+-]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})$/.test(content)) return undefined
  return Number(content)
}

/** One of a few whole numbers. */
export function choice(...codes: readonly number[]): Kind {
  return {
    check: (value) =>
      codes.includes(value as number) ? null : { rule: 'choice', message: `must be one of ${codes.join(', ')}` },
    write: String,
    read: (content) => (codes.includes(Number(content)) && content !== '' ? Number(content) : undefined),
  }
}

/** One of our words, written as the SII's code. When two words share a code, the first is read back. */
export function word(codes: Readonly<Record<string, string>>): Kind {
  const words = Object.keys(codes)
  return {
    check: (value) =>
      typeof value === 'string' && Object.hasOwn(codes, value)
        ? null
        : { rule: 'choice', message: `must be one of ${words.join(', ')}` },
    write: (value) => codes[String(value)] ?? null,
    read: (content) => words.find((name) => codes[name] === content),
  }
}

/** A yes or no of which the schema can only say one side, with a fixed code. */
export function flag(side: boolean, code: string): Kind {
  return {
    check: (value) => (typeof value === 'boolean' ? null : wrongType('true or false')),
    write: (value) => (value === side ? code : null),
    read: (content) => (content === code ? side : undefined),
  }
}

/** A folio of any document: tax folios are numbers, order numbers are not. */
export const referenceFolio: Kind = {
  check: (value) => {
    if (typeof value === 'string') return checkText(value, 18)
    const fits = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    return fits ? null : wrongType('a whole number or a text of up to 18 characters')
  },
  write: (value) => escapeText(String(value)),
  read: (content) => {
    if (content === '') return undefined
    return /^[1-9]\d{0,9}$/.test(content) ? Number(content) : content
  },
}
