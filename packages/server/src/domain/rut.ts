import { randomBytes } from 'node:crypto'
import { checkDigit, formatRut, isRut } from '@timbre/dte/values'
import { Type } from 'typebox'
import { addFormat } from '../kernel/ajv.ts'

addFormat('rut', { check: isRut, code: 'invalid_rut', says: 'it must be ########-D with the right check digit' })
addFormat('rut_or_all', {
  check: (value) => value === '*' || isRut(value),
  code: 'invalid_rut',
  says: 'it must be a RUT as ########-D with the right check digit, or *',
})

/** A RUT that hardly anybody of the sandbox has taken, for a call that must work as it is given. */
export function inventRut(): string {
  const number = 50_000_000 + (randomBytes(4).readUInt32BE() % 40_000_000)
  return formatRut({ number, check_digit: checkDigit(number) })
}

/** A RUT in its canonical form: no dots, upper-case K, right check digit. */
export const Rut = Type.Unsafe<string>({ type: 'string', format: 'rut', maxLength: 10, examples: ['76192083-9'] })
export const RutOrAll = Type.Unsafe<string>({ type: 'string', format: 'rut_or_all', maxLength: 10 })
