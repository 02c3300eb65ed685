import { child, children, number, text, type XmlNode } from '../verify/xml/node.ts'
import { parseXml } from '../verify/xml/parse.ts'
import { percent } from './expected.ts'
import type { SetDocument } from './read-set-document.ts'
import { caseOf, type Refusal, reviewDocuments } from './review-documents.ts'
import { caseName, type Section } from './set.ts'

/** What an RVD tells of one tipo. */
export interface DailyUse {
  readonly from: string
  readonly to: string
  readonly tipo: number
  readonly emitted: number
  readonly used: number
  readonly total: number
}

export function readDailyUse(file: Uint8Array): DailyUse[] {
  const body = parseXml(file).root.elements[0] as XmlNode
  const caratula = child(body, 'Caratula')
  return children(body, 'Resumen').map((line) => ({
    from: text(caratula, 'FchInicio') ?? '',
    to: text(caratula, 'FchFinal') ?? '',
    tipo: number(line, 'TipoDocumento') ?? 0,
    emitted: number(line, 'FoliosEmitidos') ?? 0,
    used: number(line, 'FoliosUtilizados') ?? 0,
    total: number(line, 'MntTotal') ?? 0,
  }))
}

/** A nota de crédito that the SII has about a boleta. */
export interface BoletaNote {
  /** Of the boleta. */
  readonly folio: number
  readonly code: number
  readonly fecha: string
  readonly total: number
}

type Used = Pick<BoletaNote, 'fecha' | 'total'>

/** The boletas of the set, the notes about them, and the use of folios of their day (RVD) that goes with them. */
export function reviewBoletas(
  section: Section,
  documents: readonly SetDocument[],
  reports: readonly DailyUse[],
  notes: readonly BoletaNote[] = [],
): Refusal[] {
  const refusals = reviewDocuments(section, documents)
  const [first] = documents
  if (first === undefined) return refusals
  const used = documents.map(({ fecha, amounts }) => ({ fecha, total: amounts.total }))
  refusals.push(...reviewUse(first.tipo, used, reports))
  const corrections = documents.flatMap((document) => reviewCorrection(section, document, notes))
  const found = corrections.flatMap(({ note }) => note ?? [])
  return [
    ...refusals,
    ...corrections.flatMap(({ refusal }) => refusal ?? []),
    ...(found.length === 0 ? [] : reviewUse(61, found, reports)),
  ]
}

/** The last report that was sent counts. Other documents of the day may be in it too. */
function reviewUse(tipo: number, used: readonly Used[], reports: readonly DailyUse[]): Refusal[] {
  const days = used.map(({ fecha }) => fecha).sort()
  const last = reports
    .filter((one) => one.tipo === tipo && one.from <= (days[0] ?? '') && one.to >= (days.at(-1) ?? ''))
    .at(-1)
  const of = tipo === 61 ? ' de notas de credito' : ''
  if (last === undefined) return [`RVD - No hay reporte de consumo de folios${of} del ${days[0]}`]
  const total = used.reduce((sum, one) => sum + one.total, 0)
  const refusals: Refusal[] = []
  if (last.emitted < used.length) refusals.push(`RVD - Folios emitidos${of} [${last.emitted}] <> [${used.length}]`)
  if (last.total < total) refusals.push(`RVD - Monto total${of} [${last.total}] <> [${total}]`)
  return refusals
}

/**
 * What the set asks to annul or to lower has a note of that code and amount. A note tells net and IVA apart, which may
 * make it one peso more or less than the boleta. That the SII looks at them at all is (unverified).
 */
function reviewCorrection(
  section: Section,
  document: SetDocument,
  notes: readonly BoletaNote[],
): readonly { readonly note?: BoletaNote; readonly refusal?: Refusal }[] {
  const number = caseOf(section, document)
  const asked = section.cases.find((one) => one.number === number)?.correction
  if (number === null || asked === undefined) return []
  const name = caseName(section, number)
  const note = notes.find(({ folio, code }) => folio === document.folio && code === asked.code)
  if (note === undefined) return [{ refusal: `${name} - Falta la nota de credito de codigo ${asked.code}` }]
  const expected = document.lines.reduce((sum, { amount }) => sum + percent(amount, asked.percent), 0)
  if (Math.abs(note.total - expected) <= 1) return [{ note }]
  return [{ note, refusal: `${name} - Nota de credito: El Monto Total No Cuadra [${note.total}] <> [${expected}]` }]
}
