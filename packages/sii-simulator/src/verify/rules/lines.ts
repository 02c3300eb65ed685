import { differs, finding } from '../findings.ts'
import type { ReadDocument } from '../read-document.ts'
import type { Finding } from '../verdict.ts'
import { number, text, type XmlNode } from '../xml/node.ts'

/** A peso for what is rounded in a line: quantity by price, discount, surcharge. */
const TOLERANCE = 1
const EXPORTS = new Set([110, 111, 112])

export function checkLines({ lines, tipo }: ReadDocument): Finding[] {
  const found: Finding[] = []
  lines.forEach((line, index) => {
    const order = number(line, 'NroLinDet')
    if (order !== index + 1) found.push(finding('DET-3-900', differs(order, index + 1)))
    if (text(line, 'NmbItem') === '') found.push(finding('DET-3-854', `Linea [${index + 1}]`))
    if (tipo === 52 && text(line, 'QtyItem') === null) found.push(finding('HED-3-902', `QtyItem, linea [${index + 1}]`))
    const expected = EXPORTS.has(tipo) ? null : lineValue(line)
    const value = number(line, 'MontoItem') as number
    if (expected !== null && Math.abs(value - expected) > TOLERANCE)
      found.push(finding('DET-1-200', `Linea [${index + 1}] ${differs(value, expected)}`))
  })
  return found
}

/** Quantity by price, less discount, plus surcharge; null when the line gives no price. */
function lineValue(line: XmlNode): number | null {
  const price = text(line, 'PrcItem')
  if (price === null) return null
  const gross = product(text(line, 'QtyItem') ?? '1', price)
  return gross - (number(line, 'DescuentoMonto') ?? 0) + (number(line, 'RecargoMonto') ?? 0)
}

/** Two decimals of up to six places multiplied without loss, then rounded half up to whole pesos. */
export function product(a: string, b: string): number {
  const scaled = (value: string): bigint => {
    const [whole = '0', fraction = ''] = value.replace('+', '').split('.')
    return BigInt(`${whole === '' ? '0' : whole}${fraction.padEnd(6, '0')}`)
  }
  return Number((scaled(a) * scaled(b) + 500_000_000_000n) / 1_000_000_000_000n)
}
