import { differs, finding } from '../findings.ts'
import { isBoleta, isWithheld, type ReadDocument } from '../read-document.ts'
import type { Finding } from '../verdict.ts'
import { child, children, number, text, type XmlNode } from '../xml/node.ts'

/**
 * The SII does not refuse a document whose sums are off, it observes it (reparo): the middle digit of each code here is
 * 1 or 2. Exports are in another currency and liquidaciones net their commissions; theirs are not looked at.
 */
export function checkTotals(document: ReadDocument): Finding[] {
  const { tipo, header } = document
  if (tipo === 43 || tipo >= 110) return []
  const totals = child(header, 'Totales') as XmlNode
  return isBoleta(tipo) ? checkBoleta(document, totals) : checkFactura(document, totals)
}

/** FmaPago 3: handed over without a price. */
const FREE_OF_CHARGE = 3
/** A peso for each sum that was rounded on its own. */
const TOLERANCE = 1

function checkFactura(document: ReadDocument, totals: XmlNode): Finding[] {
  const { header, lines, tipo, total } = document
  const found: Finding[] = []
  const amount = (name: string) => number(totals, name) ?? 0
  const [neto, exento, iva] = [amount('MntNeto'), amount('MntExe'), amount('IVA')]
  let sum = neto + exento + iva + amount('GrntDep') - amount('CredEC')
  const taxes = children(totals, 'ImptoReten')
  for (const tax of taxes) {
    const value = number(tax, 'MontoImp') ?? 0
    sum += isWithheld(text(tax, 'TipoImp'), tipo) ? -value : value
  }
  if (total !== sum) found.push(finding('HED-2-260', differs(total, sum)))

  const rate = Number(text(totals, 'TasaIVA') ?? '19')
  const expected = Math.round((neto * rate) / 100)
  if (Math.abs(iva - expected) > TOLERANCE) found.push(finding('HED-2-900', differs(iva, expected)))
  const free = number(header, 'IdDoc', 'FmaPago') === FREE_OF_CHARGE
  if (tipo === 33 && neto === 0 && exento === 0 && !free) found.push(finding('HED-1-232'))
  if (tipo === 46 && neto > 0 && taxes.length === 0) found.push(finding('HED-2-902'))

  const gross = number(header, 'IdDoc', 'MntBruto') === 1
  const sums = sumLines(lines, children(document.body, 'DscRcgGlobal'), tipo === 34)
  const net = gross ? Math.round(sums.afecto / (1 + rate / 100)) : sums.afecto
  const slack = TOLERANCE + (gross ? lines.length : 0)
  if (Math.abs(neto - net) > slack) found.push(finding('HED-2-901', `MntNeto ${differs(neto, net)}`))
  if (Math.abs(exento - sums.exento) > TOLERANCE)
    found.push(finding('HED-2-901', `MntExe ${differs(exento, sums.exento)}`))
  return found
}

/** Lines of a boleta carry the IVA inside (or not: `IndMntNeto` 2); net and IVA are parted so that the total stays. */
function checkBoleta(document: ReadDocument, totals: XmlNode): Finding[] {
  const { header, lines, tipo, total } = document
  const found: Finding[] = []
  const amount = (name: string) => number(totals, name) ?? 0
  const [neto, exento, iva] = [amount('MntNeto'), amount('MntExe'), amount('IVA')]
  if (neto + exento + iva !== total) found.push(finding('HED-2-260', differs(total, neto + exento + iva)))
  const sums = sumLines(lines, children(document.body, 'DscRcgGlobal'), tipo === 41)
  const net_lines = number(header, 'IdDoc', 'IndMntNeto') === 2
  const taxed = net_lines ? sums.afecto + Math.round(sums.afecto * 0.19) : sums.afecto
  if (lines.length > 0 && Math.abs(taxed + sums.exento - total) > TOLERANCE)
    found.push(finding('HED-2-901', `MntTotal ${differs(total, taxed + sums.exento)}`))
  const net = Math.round((total - exento) / 1.19)
  if (tipo === 39 && Math.abs(neto - net) > TOLERANCE) found.push(finding('HED-2-900', `MntNeto ${differs(neto, net)}`))
  return found
}

/** Sums of the lines after the global discounts and surcharges, each over its own base. */
function sumLines(lines: readonly XmlNode[], globals: readonly XmlNode[], all_exempt: boolean) {
  const sums = { afecto: 0, exento: 0 }
  for (const line of lines) {
    const kind = number(line, 'IndExe')
    const value = number(line, 'MontoItem') ?? 0
    if (kind === 1 || (kind === null && all_exempt)) sums.exento += value
    else if (kind === null) sums.afecto += value
  }
  for (const move of globals) {
    const kind = number(move, 'IndExeDR')
    if (kind === 2) continue
    const base = kind === 1 || all_exempt ? 'exento' : 'afecto'
    const given = Number(text(move, 'ValorDR'))
    const value = text(move, 'TpoValor') === '%' ? Math.round((sums[base] * given) / 100) : Math.round(given)
    sums[base] += text(move, 'TpoMov') === 'D' ? -value : value
  }
  return sums
}
