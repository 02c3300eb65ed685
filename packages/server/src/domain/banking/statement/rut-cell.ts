import { isRut } from '@timbre/dte/values'

/** A RUT as a bank writes it, with dots or zeros in front, in its canonical form; null where it is none. */
export function rutIn(text: string): string | null {
  const [, number = '', digit = ''] = /^0*(\d{1,3}(?:\.?\d{3})*)-?([\dkK])$/.exec(text.trim()) ?? []
  const rut = `${number.replaceAll('.', '')}-${digit.toUpperCase()}`
  return isRut(rut) ? rut : null
}
