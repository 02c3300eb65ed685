import { accept, type Outcome } from '../refusal.ts'
import type { Signer } from '../signature/sign.ts'
import { Form, type FormRule } from '../xml/form.ts'
import { textElement } from '../xml/write.ts'
import { piece, signEnvelope } from './sign.ts'
import type { Resolucion } from './sobre.ts'

/**
 * Reporte de consumo de folios, also called RVD (ConsumoFolio_v10.xsd): the boletas of a day. Production stopped asking
 * for it on 2022-08-01 (Res. Ex. SII 53 of 2022); the certification of boletas has not.
 */
export interface ConsumoFolios {
  readonly emisor_rut: string
  readonly envia_rut: string
  readonly resolucion: Resolucion
  /** The day. */
  readonly date: string
  /** 1 for the first report of the day; a correction has the next number. */
  readonly sequence: number
  readonly summaries: readonly FolioSummary[]
  readonly tmst_firma: string
}

export interface FolioSummary {
  readonly tipo_dte: 39 | 41 | 61
  readonly net?: number
  readonly iva?: number
  readonly iva_rate?: number
  readonly exempt?: number
  readonly total: number
  readonly issued: readonly number[]
  /** Folios given back to the SII, not documents undone by a nota de crédito. */
  readonly annulled?: readonly number[]
}

export async function buildConsumoFolios(consumo: ConsumoFolios, signer: Signer): Promise<Outcome<string, FormRule>> {
  const form = new Form()
  form.count('summaries', consumo.summaries.length, 1, 3)
  const caratula =
    `<Caratula version="1.0">${form.rut('RutEmisor', consumo.emisor_rut, 'emisor_rut')}` +
    form.rut('RutEnvia', consumo.envia_rut, 'envia_rut') +
    form.date('FchResol', consumo.resolucion.date, 'resolucion.date') +
    form.integer('NroResol', consumo.resolucion.number, 'resolucion.number', 0, 999_999) +
    form.date('FchInicio', consumo.date, 'date') +
    form.date('FchFinal', consumo.date, 'date') +
    form.integer('SecEnvio', consumo.sequence, 'sequence', 1, 999) +
    `${form.timestamp('TmstFirmaEnv', consumo.tmst_firma, 'tmst_firma')}</Caratula>`
  const summaries = consumo.summaries.map((summary, index) => writeSummary(summary, `summaries[${index}]`, form))
  const checked = form.outcome([piece(`\n${[caratula, ...summaries].join('\n')}\n`)])
  if (!checked.ok) return checked
  const id = `ConsumoFolios${consumo.date}`
  const envelope = { root: 'ConsumoFolios', schema: 'ConsumoFolio_v10.xsd', body: 'DocumentoConsumoFolios', id }
  return accept(await signEnvelope({ ...envelope, content: checked.value }, signer))
}

function writeSummary(summary: FolioSummary, path: string, form: Form): string {
  const annulled = summary.annulled ?? []
  for (const folio of [...summary.issued, ...annulled]) form.integer('Folio', folio, `${path}.issued`, 1, 9_999_999_999)
  return (
    `<Resumen><TipoDocumento>${summary.tipo_dte}</TipoDocumento>` +
    form.integer('MntNeto', summary.net, `${path}.net`) +
    form.integer('MntIva', summary.iva, `${path}.iva`) +
    (summary.iva_rate === undefined ? '' : textElement('TasaIVA', summary.iva_rate)) +
    form.integer('MntExento', summary.exempt, `${path}.exempt`) +
    form.integer('MntTotal', summary.total, `${path}.total`) +
    form.integer('FoliosEmitidos', summary.issued.length, `${path}.issued`, 0, 999_999) +
    form.integer('FoliosAnulados', annulled.length, `${path}.annulled`, 0, 999_999) +
    form.integer('FoliosUtilizados', summary.issued.length + annulled.length, `${path}.issued`, 0, 999_999) +
    writeRanges('RangoUtilizados', summary.issued) +
    `${writeRanges('RangoAnulados', annulled)}</Resumen>`
  )
}

/** Runs of consecutive folios. */
function writeRanges(name: string, folios: readonly number[]): string {
  const ranges: { first: number; last: number }[] = []
  for (const folio of [...new Set(folios)].sort((one, other) => one - other)) {
    const open = ranges.at(-1)
    if (open !== undefined && folio === open.last + 1) open.last = folio
    else ranges.push({ first: folio, last: folio })
  }
  return ranges
    .map(({ first, last }) => `<${name}><Inicial>${first}</Inicial><Final>${last}</Final></${name}>`)
    .join('')
}
