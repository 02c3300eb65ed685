import { child, children, number, text, type XmlNode } from '../verify/xml/node.ts'
import { parseXml } from '../verify/xml/parse.ts'
import type { SetDocument } from './read-set-document.ts'
import { type Refusal, reviewDocuments } from './review-documents.ts'
import type { Section } from './set.ts'

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

/** The boletas of the set, and the use of folios of their day (RVD) that goes with them. */
export function reviewBoletas(
  section: Section,
  documents: readonly SetDocument[],
  reports: readonly DailyUse[],
): Refusal[] {
  const refusals = reviewDocuments(section, documents)
  const [first] = documents
  if (first === undefined) return refusals
  const total = documents.reduce((sum, { amounts }) => sum + amounts.total, 0)
  const days = documents.map(({ fecha }) => fecha).sort()
  const covering = reports.filter(
    ({ tipo, from, to }) => tipo === first.tipo && from <= (days[0] ?? '') && to >= (days.at(-1) ?? ''),
  )
  if (covering.length === 0) return [...refusals, `RVD - No hay reporte de consumo de folios del ${days[0]}`]
  // The last one that was sent counts. Other boletas of the day may be in it too.
  const last = covering.at(-1) as DailyUse
  if (last.emitted < documents.length) refusals.push(`RVD - Folios emitidos [${last.emitted}] <> [${documents.length}]`)
  if (last.total < total) refusals.push(`RVD - Monto total [${last.total}] <> [${total}]`)
  return refusals
}
