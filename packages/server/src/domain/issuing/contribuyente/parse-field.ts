import { checkDigit, monthLength } from '@timbre/dte/values'

const [SPACE, DASH, DOT, SLASH, ZERO, NINE, LETTER_T] = [32, 45, 46, 47, 48, 57, 84] as const
const MAX_RUT = 99_999_999

function isSeparator(byte: number | undefined): boolean {
  return byte === DASH || byte === SLASH
}

/** The digits from `at` on as a number, or NaN. */
function digits(input: Buffer, at: number, count: number): number {
  let value = 0
  for (let i = at; i < at + count; i++) {
    const digit = (input[i] as number) - ZERO
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

function exists(year: number, month: number, day: number): boolean {
  if (!(year >= 1800 && year <= 2200 && month >= 1 && month <= 12 && day >= 1)) return false
  return day <= monthLength(year, month)
}

/**
 * Parses a date in any way the published files write one (01-03-2015, 2015-03-01, 20150301; with slashes, with a time
 * behind it) as year * 10000 + month * 100 + day. 0 when it is none. A number, because a million rows must not allocate a
 * million strings.
 */
export function parseDate(input: Buffer, from: number, to: number): number {
  let length = to - from
  if (length > 10 && (input[from + 10] === SPACE || input[from + 10] === LETTER_T)) length = 10
  let year = Number.NaN
  let month = Number.NaN
  let day = Number.NaN
  if (length === 8) {
    year = digits(input, from, 4)
    month = digits(input, from + 4, 2)
    day = digits(input, from + 6, 2)
  } else if (length === 10 && isSeparator(input[from + 2]) && isSeparator(input[from + 5])) {
    day = digits(input, from, 2)
    month = digits(input, from + 3, 2)
    year = digits(input, from + 6, 4)
  } else if (length === 10 && isSeparator(input[from + 4]) && isSeparator(input[from + 7])) {
    year = digits(input, from, 4)
    month = digits(input, from + 5, 2)
    day = digits(input, from + 8, 2)
  }
  return exists(year, month, day) ? year * 10_000 + month * 100 + day : 0
}

/** The number of a RUT, with or without dots; 0 when it is none. */
export function parseRut(input: Buffer, from: number, to: number): number {
  let number = 0
  for (let i = from; i < to; i++) {
    const byte = input[i] as number
    if (byte === DOT) continue
    if (byte < ZERO || byte > NINE) return 0
    number = number * 10 + byte - ZERO
    if (number > MAX_RUT) return 0
  }
  return number
}

export function isCheckDigit(rut: number, byte: number): boolean {
  return checkDigit(rut).charCodeAt(0) === (byte > NINE ? byte & ~32 : byte)
}
