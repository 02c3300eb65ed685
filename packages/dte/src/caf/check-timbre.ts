import type { KeyObject } from 'node:crypto'
import { normalNumber, rsaPublicKey } from '../certificate/x509.ts'
import type { Refusal } from '../refusal.ts'
import { canonicalRut } from '../rut.ts'
import type { XmlDocument } from '../xml/parse.ts'
import { at, textAt, type XmlElement } from '../xml/tree.ts'
import { isSignedText, rawTimbre } from './signed-text.ts'
import { SII_KEYS, type SiiKeys } from './sii-keys.ts'

export type TimbreRule =
  | 'missing_timbre'
  | 'unknown_sii_key'
  | 'bad_sii_signature'
  | 'bad_stamp'
  | 'stamp_mismatch'
  | 'folio_out_of_range'

/**
 * Whether the stamp inside a received document is true: the SII signed its CAF, that CAF signed the stamp, and the
 * stamp speaks of this document. Null when it does.
 */
export function checkTimbre(
  document: XmlDocument,
  documento: XmlElement,
  sii_keys: SiiKeys = SII_KEYS,
): Refusal<TimbreRule> | null {
  const ted = at(documento, 'TED')
  const dd = at(ted, 'DD')
  const caf = at(dd, 'CAF')
  const da = at(caf, 'DA')
  if (dd === undefined || da === undefined) return fault('missing_timbre', 'TED', 'The document has no stamp.')
  const idk = Number(textAt(da, 'IDK'))
  const sii_key = Object.hasOwn(sii_keys, idk) ? sii_keys[idk] : undefined
  if (sii_key === undefined)
    return fault('unknown_sii_key', 'TED/DD/CAF/DA/IDK', `No key of the SII that counts here has the number ${idk}.`)
  const raw = ted && rawTimbre(document, ted)
  if (!isSignedText(document, da, { raw, signature: textAt(caf, 'FRMA'), key: sii_key })) {
    return fault('bad_sii_signature', 'TED/DD/CAF/FRMA', 'The SII did not sign the CAF of the stamp.')
  }
  const key = publicKeyOf(da)
  if (key === undefined || !isSignedText(document, dd, { raw, signature: textAt(ted, 'FRMT'), key })) {
    return fault('bad_stamp', 'TED/FRMT', 'The stamp was not made with the key of its CAF.')
  }
  return refuseOther(documento, dd, da)
}

const SAME: readonly (readonly [string, readonly string[]])[] = [
  ['RE', ['Encabezado', 'Emisor', 'RUTEmisor']],
  ['TD', ['Encabezado', 'IdDoc', 'TipoDTE']],
  ['F', ['Encabezado', 'IdDoc', 'Folio']],
  ['FE', ['Encabezado', 'IdDoc', 'FchEmis']],
  ['RR', ['Encabezado', 'Receptor', 'RUTRecep']],
  ['MNT', ['Encabezado', 'Totales', 'MntTotal']],
]

function refuseOther(documento: XmlElement, dd: XmlElement, da: XmlElement): Refusal<TimbreRule> | null {
  for (const [name, path] of SAME) {
    if (isSame(textAt(dd, name), textAt(documento, ...path))) continue
    return fault('stamp_mismatch', `TED/DD/${name}`, `The stamp and the document differ in ${path.at(-1)}.`)
  }
  for (const name of ['RE', 'TD'] as const) {
    if (textAt(dd, name) === textAt(da, name)) continue
    return fault('stamp_mismatch', `TED/DD/CAF/DA/${name}`, 'The CAF of the stamp is of another emisor or tipo.')
  }
  const folio = Number(textAt(dd, 'F'))
  const inside = folio >= Number(textAt(da, 'RNG', 'D')) && folio <= Number(textAt(da, 'RNG', 'H'))
  return inside ? null : fault('folio_out_of_range', 'TED/DD/F', 'The folio is not in the range of the CAF.')
}

/** Whether two texts are one value: emitters write `1190` and `1190.00`, `76543210-3` and `76.543.210-3`. */
function isSame(one = '', other = ''): boolean {
  if (one.toUpperCase() === other.toUpperCase()) return true
  const number = /^-?\d{1,15}(\.\d{1,6})?$/
  if (number.test(one) && number.test(other)) return Number(one) === Number(other)
  const rut = canonicalRut(one)
  return rut !== null && rut === canonicalRut(other)
}

function fault(rule: TimbreRule, path: string, message: string): Refusal<TimbreRule> {
  return { path, rule, message }
}

function publicKeyOf(da: XmlElement): KeyObject | undefined {
  const number = (name: 'M' | 'E'): string => normalNumber(textAt(da, 'RSAPK', name) ?? '')
  return rsaPublicKey({ modulus: number('M'), exponent: number('E') })
}
