import { isRut } from '@timbre/dte/wire'
import { differs, finding } from '../findings.ts'
import { isBoleta, type ReadDocument } from '../read-document.ts'
import type { Finding, VerifyView } from '../verdict.ts'
import { child, children, number, text, textOf } from '../xml/node.ts'

type Path = readonly [string, string]

const ORIGIN: readonly Path[] = [
  ['Emisor', 'DirOrigen'],
  ['Emisor', 'CmnaOrigen'],
]
const BUYER: readonly Path[] = [
  ['Receptor', 'GiroRecep'],
  ['Receptor', 'DirRecep'],
  ['Receptor', 'CmnaRecep'],
]

/** What a tipo must carry though the schema lets it be left out (Formato DTE v2.4.2, columns of obligatoriness). */
const REQUIRED: Readonly<Record<number, readonly Path[]>> = {
  33: [...ORIGIN, ...BUYER],
  34: [...ORIGIN, ...BUYER, ['Totales', 'MntExe']],
  39: [
    ['Totales', 'MntNeto'],
    ['Totales', 'IVA'],
  ],
  41: [['Totales', 'MntExe']],
  46: [['Emisor', 'DirOrigen'], ...BUYER],
  52: [...ORIGIN, ...BUYER, ['IdDoc', 'IndTraslado']],
}

const INTERNAL_TRANSFER = 5
/** Tipos in which somebody sells to somebody else. */
const SALES = new Set([33, 34, 43, 46])

export function checkHeader(document: ReadDocument, view: VerifyView): Finding[] {
  const { header, tipo, emisor, receptor, fecha, lines } = document
  const found: Finding[] = []
  if (!isRut(receptor)) found.push(finding('HED-3-900', `RUTRecep [${receptor}]`))
  if (fecha > view.today) found.push(finding('HED-3-901', `[${fecha}] > [${view.today}]`))
  const taxpayer = view.taxpayer(emisor)
  const since = taxpayer?.resolution?.date
  if (since !== undefined && fecha < since) found.push(finding('HED-3-305', `[${fecha}] < [${since}]`))
  for (const path of REQUIRED[tipo] ?? []) {
    const value = text(header, ...path)
    // A boleta whose lines are all exempt has neither net nor IVA.
    if (value === null && tipo === 39 && number(header, 'Totales', 'MntExe') === document.total) continue
    if (value === null || value === '') found.push(finding('HED-3-902', path[1]))
  }
  const known = taxpayer?.actecos ?? null
  if (known !== null && !isBoleta(tipo))
    for (const acteco of children(child(header, 'Emisor'), 'Acteco').map((node) => textOf(node).trim()))
      if (!known.includes(acteco)) found.push(finding('HED-3-861', `[${acteco}]`))
  if (tipo === 52 && number(header, 'IdDoc', 'IndTraslado') === INTERNAL_TRANSFER && emisor !== receptor)
    found.push(finding('HED-3-905', differs(receptor, emisor)))
  if (SALES.has(tipo) && emisor === receptor) found.push(finding('HED-3-906', `[${receptor}]`))
  const exempt = lines.length > 0 && lines.every((line) => number(line, 'IndExe') === 1)
  if (tipo === 33 && exempt) found.push(finding('HED-3-904'))
  if (
    (tipo === 34 || tipo === 41) &&
    ((number(header, 'Totales', 'MntNeto') ?? 0) > 0 || (number(header, 'Totales', 'IVA') ?? 0) > 0)
  )
    found.push(finding('HED-3-903'))
  if (isBoleta(tipo)) found.push(...checkPeriodicBoleta(document))
  return found
}

/** A boleta of periodic services (IndServicio 1 and 2) says whose they are and for which days (Formato Boletas v4.1). */
function checkPeriodicBoleta({ header }: ReadDocument): Finding[] {
  const service = number(header, 'IdDoc', 'IndServicio')
  if (service !== 1 && service !== 2) return []
  const needed: readonly Path[] = [
    ['IdDoc', 'PeriodoDesde'],
    ['IdDoc', 'PeriodoHasta'],
    ['Receptor', 'RznSocRecep'],
    ['Receptor', 'DirRecep'],
  ]
  return needed.filter((path) => text(header, ...path) === null).map((path) => finding('HED-3-902', path[1]))
}
