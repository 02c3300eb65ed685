import { expectedOf } from './expected.ts'
import type { SetDocument, SetLine } from './read-set-document.ts'
import { type Case, caseName, type Section } from './set.ts'

/** One thing that is wrong, in the words that the SII would say it with: the case first. */
export type Refusal = string

/** The words are ours but for `El Monto Total No Cuadra`; the SII's other ones have not been published. */
const differs = (found: unknown, expected: unknown) => `[${found ?? ''}] <> [${expected ?? ''}]`

/**
 * Reviews what was declared for a section of documents: every case of it, recomputed from the set. The envelope is one
 * that the SII has processed, so that signatures, folios and the rules of each document hold already.
 */
export function reviewDocuments(section: Section, documents: readonly SetDocument[]): Refusal[] {
  const found = new Map<number, SetDocument>()
  const refusals: Refusal[] = []
  for (const document of documents) {
    const number = caseOf(section, document)
    const named = `Tipo ${document.tipo} Folio ${document.folio}`
    if (number === null) refusals.push(`${named} - La primera referencia no identifica un caso del set`)
    else if (found.has(number)) refusals.push(`${caseName(section, number)} - Caso repetido en el envio`)
    else found.set(number, document)
  }
  for (const one of section.cases) {
    const document = found.get(one.number)
    const name = caseName(section, one.number)
    if (document === undefined) refusals.push(`${name} - Falta el documento del caso`)
    else refusals.push(...reviewCase(section, one, document, found).map((refusal) => `${name} - ${refusal}`))
  }
  return [...refusals, ...repeatedReceptores(section, found)]
}

/** The case that the first reference names; null where it names none of this section. */
export function caseOf(section: Section, { references }: SetDocument): number | null {
  const [first] = references
  const boleta = section.kind === 'boletas' || section.kind === 'boletas_exentas'
  if (first === undefined || (boleta ? first.code : first.tipo) !== 'SET') return null
  const reason = (first.reason ?? '').trim().replace(/\s+/g, ' ')
  return section.cases.find(({ number }) => caseName(section, number) === reason)?.number ?? null
}

function reviewCase(
  section: Section,
  one: Case,
  document: SetDocument,
  found: ReadonlyMap<number, SetDocument>,
): string[] {
  if (document.tipo !== one.tipo) return [`Tipo de documento no corresponde ${differs(document.tipo, one.tipo)}`]
  return [
    ...reviewReference(one, document, found),
    ...reviewLines(section, one, document),
    ...reviewDiscount(one, document),
    ...reviewTransfer(one, document),
    ...reviewTotals(section, one, document),
  ]
}

function reviewReference(one: Case, document: SetDocument, found: ReadonlyMap<number, SetDocument>): string[] {
  if (one.reference === null) return []
  const original = found.get(one.reference.case)
  if (original === undefined) return []
  const reference = document.references.find(
    ({ tipo, folio }) => tipo === String(original.tipo) && Number(folio) === original.folio,
  )
  if (reference === undefined)
    return [`No referencia al documento del caso ${one.reference.case} [${original.tipo} ${original.folio}]`]
  const wrong: string[] = []
  if (reference.code !== String(one.reference.code))
    wrong.push(`Codigo de referencia no corresponde ${differs(reference.code, one.reference.code)}`)
  if (document.receptor !== original.receptor)
    wrong.push(`Receptor distinto al del documento que referencia ${differs(document.receptor, original.receptor)}`)
  return wrong
}

function reviewLines(section: Section, one: Case, document: SetDocument): string[] {
  // A note that corrects a text has a line of its own words, worth nothing.
  if (one.reference?.code === 2) return []
  const { lines } = expectedOf(section, one)
  if (lines.length === 0) return []
  if (document.lines.length !== lines.length)
    return [`Cantidad de lineas de detalle no corresponde ${differs(document.lines.length, lines.length)}`]
  return lines.flatMap((expected, at) => {
    const line = document.lines[at] as SetLine
    const wrong = (what: string, found: unknown, wanted: unknown) =>
      `Linea ${at + 1}: ${what} ${differs(found, wanted)}`
    const found: string[] = []
    if (plain(line.name) !== plain(expected.name)) found.push(wrong('Nombre del item', line.name, expected.name))
    if (expected.quantity !== null && line.quantity !== expected.quantity)
      found.push(wrong('Cantidad', line.quantity, expected.quantity))
    if (expected.unit !== null && plain(line.unit ?? '') !== plain(expected.unit))
      found.push(wrong('Unidad de medida', line.unit, expected.unit))
    // Where the amount is that of one unit, its price need not be told.
    if (expected.price !== null && line.price !== expected.price && !(line.price === null && line.quantity === null))
      found.push(wrong('Precio unitario', line.price, expected.price))
    if (line.exempt !== expected.exempt)
      found.push(wrong('Indicador de exencion', line.exempt ? 1 : '', expected.exempt ? 1 : ''))
    if (expected.discount !== null && !hasDiscount(line, expected.discount))
      found.push(wrong('Descuento', line.discount_percent ?? line.discount_amount, expected.discount))
    if (expected.discount === null && (line.discount_amount ?? 0) > 0)
      found.push(wrong('Descuento', line.discount_amount, ''))
    if (section.kind === 'compra' && line.tax !== '15') found.push(wrong('Codigo de retencion', line.tax, 15))
    if (!expected.amounts.includes(line.amount)) found.push(wrong('Monto', line.amount, expected.amounts.join(' o ')))
    return found
  })
}

/** By percentage, or by the amount that it comes to. */
function hasDiscount(line: SetLine, rate: number): boolean {
  return line.discount_percent === null ? (line.discount_amount ?? 0) > 0 : line.discount_percent === rate
}

function reviewDiscount(one: Case, document: SetDocument): string[] {
  const given = document.discounts.filter(({ movement }) => movement === 'D')
  // What annuls repeats amounts; that they are those of the original is seen in the totals.
  if (one.reference !== null) return []
  const [first] = given
  if (one.global_discount === null) return given.length === 0 ? [] : ['Descuento global que el caso no pide']
  if (given.length !== 1 || first === undefined) return ['Falta el descuento global a items afectos']
  if (first.over !== 'taxed') return ['El descuento global debe aplicarse a los items afectos']
  if (first.kind === '%' && first.value !== one.global_discount)
    return [`Descuento global no corresponde ${differs(first.value, one.global_discount)}`]
  return []
}

function reviewTransfer(one: Case, document: SetDocument): string[] {
  if (one.transfer === null) return []
  const { kind, despacho } = one.transfer
  const wrong: string[] = []
  if (document.transfer !== kind) wrong.push(`Indicador de traslado no corresponde ${differs(document.transfer, kind)}`)
  if (despacho !== null && document.despacho !== despacho)
    wrong.push(`Tipo de despacho no corresponde ${differs(document.despacho, despacho)}`)
  if (kind === 5 && document.receptor !== document.emisor)
    wrong.push(`En un traslado interno el receptor debe ser el emisor ${differs(document.receptor, document.emisor)}`)
  return wrong
}

function reviewTotals(section: Section, one: Case, document: SetDocument): string[] {
  const { totals } = expectedOf(section, one)
  const { amounts } = document
  const fits = totals.find(({ total }) => total === amounts.total)
  if (fits === undefined)
    return [`El Monto Total No Cuadra ${differs(amounts.total, totals.map(({ total }) => total).join(' o '))}`]
  const parts = [
    ['Monto neto', amounts.neto, fits.neto],
    ['Monto exento', amounts.exento, fits.exento],
    ['IVA', amounts.iva, fits.iva],
    ['IVA retenido', amounts.withheld, fits.withheld],
  ] as const
  return parts
    .filter(([, found, expected]) => found !== expected)
    .map(([name, found, expected]) => `${name} no cuadra ${differs(found, expected)}`)
}

/** Each document that is no note goes to somebody else (SII, instructions of the set); a transfer goes to oneself. */
function repeatedReceptores(section: Section, found: ReadonlyMap<number, SetDocument>): Refusal[] {
  if (section.kind === 'boletas' || section.kind === 'boletas_exentas') return []
  const seen = new Map<string, number>()
  return section.cases.flatMap((one) => {
    const receptor = found.get(one.number)?.receptor
    if (receptor === undefined || one.reference !== null || one.transfer?.kind === 5) return []
    const before = seen.get(receptor)
    seen.set(receptor, one.number)
    if (before === undefined) return []
    return [`${caseName(section, one.number)} - Mismo receptor que el caso ${before} [${receptor}]`]
  })
}

const plain = (value: string) => value.trim().replace(/\s+/g, ' ')
