/** A Chilean tax id. Canonical text is the number without dots, a dash and the check digit: `76543210-3`, `60803000-K`. */
export interface Rut {
  readonly number: number
  readonly check_digit: string
}

const CANONICAL = /^[1-9]\d{0,7}-[\dK]$/
// Dots, spaces and a missing dash are how people type it; the SII's schema takes none of them.
const TOLERANT = /^(\d{1,3}(?:\.?\d{3}){0,2}|\d{1,8})-?([\dkK])$/

/** Modulo 11 with the factors 2 to 7 from the right. */
export function checkDigit(number: number): string {
  let sum = 0
  let factor = 2
  for (let rest = number; rest > 0; rest = Math.floor(rest / 10)) {
    sum += (rest % 10) * factor
    factor = factor === 7 ? 2 : factor + 1
  }
  const digit = 11 - (sum % 11)
  return digit === 11 ? '0' : digit === 10 ? 'K' : String(digit)
}

/** True only for the canonical text with the right check digit, which is all the SII accepts. */
export function isRut(text: string): boolean {
  return CANONICAL.test(text) && checkDigit(Number(text.slice(0, -2))) === text.at(-1)
}

/** Reads a RUT as people write it; null when it is none or its check digit is wrong. */
export function parseRut(text: string): Rut | null {
  if (text.length > 20) return null
  const match = TOLERANT.exec(text.replace(/\s/g, '').replace(/^0+(?=\d)/, ''))
  if (match === null) return null
  const number = Number((match[1] ?? '').replaceAll('.', ''))
  const check_digit = (match[2] ?? '').toUpperCase()
  return number > 0 && checkDigit(number) === check_digit ? { number, check_digit } : null
}

export function formatRut(rut: Rut): string {
  return `${rut.number}-${rut.check_digit}`
}

/** The canonical text of a RUT as people write it, or null. */
export function canonicalRut(text: string): string | null {
  const rut = parseRut(text)
  return rut === null ? null : formatRut(rut)
}

/** Dots between thousands: `1234567` -> `1.234.567`. */
export function dotted(digits: string): string {
  const head = digits.length % 3
  return [digits.slice(0, head), ...(digits.slice(head).match(/.{3}/g) ?? [])].filter(Boolean).join('.')
}

/** With dots, as it is printed: `76.543.210-3`. */
export function printedRut(canonical: string): string {
  const [number = '', digit = ''] = canonical.split('-')
  return `${dotted(number)}-${digit}`
}
