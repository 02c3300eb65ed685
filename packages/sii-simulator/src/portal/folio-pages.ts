import { DOCUMENTS } from '@timbre/dte/wire'
import { escapeMarkup } from '../markup.ts'
import { type Fields, form, input, portalPage, select, submit, table } from './page.ts'

/** The pages of `/cvc_cgi/dte/` through which folios are asked for, asked for again, annulled and looked up. */

/** Where a form posts to; the page stands under another path when the host is its first segment. */
export type ActionOf = (cgi: string) => string

export interface Range {
  readonly tipo: number
  readonly from: number
  readonly to: number
  /** Civil date. */
  readonly date: string
  /** Who asked for it, by name. */
  readonly person: string
}

export function companyPage(title: string, next: string, action: ActionOf): Buffer {
  const fields = `RUT: ${input('RUT_EMP')} - ${input('DV_EMP')}\n${submit('Continuar')}`
  return portalPage(title, `<h2>${title}</h2>\n${form('form1', action(next), {}, fields)}`)
}

export interface Offer {
  readonly company: Fields
  readonly tipos: readonly number[]
  /** Null while the person has not chosen. */
  readonly chosen: { readonly tipo: number; readonly max: number; readonly available: number } | null
}

export function offerPage(offer: Offer, action: ActionOf): Buffer {
  const { company, tipos, chosen } = offer
  const options = tipos.map((tipo) => [String(tipo), nameOf(tipo)] as const)
  const types = select('COD_DOCTO', [['', 'Seleccione'], ...options], chosen === null ? '' : String(chosen.tipo))
  if (chosen === null)
    return portalPage(
      'Solicitud de Timbraje Electrónico',
      form('frm', action('of_solicita_folios_dcto'), { ...company, FOLIO_INICIAL: '', CANT_DOCTOS: '' }, types),
    )
  const told = { MAX_AUTOR: chosen.max, FOLIOS_DISP: chosen.available }
  const blank = {
    CONTROL: 'S',
    FOLIO_INICIAL: '',
    AFECTO_IVA: '',
    ANOTACION: '',
    CON_CREDITO: '',
    CON_AJUSTE: '',
    FACTOR: '',
  }
  const body = [
    types,
    table([
      ['Máximo autorizado', String(chosen.max)],
      ['Folios disponibles', String(chosen.available)],
    ]),
    `Cantidad: ${input('CANT_DOCTOS')}`,
    submit('Solicitar Numeración'),
  ].join('\n')
  return portalPage(
    'Solicitud de Timbraje Electrónico',
    form('frm', action('of_confirma_folio'), { ...company, ...told, ...blank }, body),
  )
}

/** Boletas: the first folio is confirmed apart, by a second POST to the same CGI. */
export function firstFolioPage(fields: Fields, action: ActionOf): Buffer {
  return portalPage(
    'Confirmar Folio Inicial',
    form('frm', action('of_confirma_folio'), fields, submit('Confirmar Folio Inicial')),
  )
}

export function generatePage(fields: Fields, action: ActionOf): Buffer {
  const text = `<p>Se autorizarán los folios ${fields.FOLIO_INI} al ${fields.FOLIO_FIN}.</p>`
  return portalPage(
    'Confirmación de Timbraje',
    text + form('frm', action('of_genera_folio'), fields, submit('Obtener Folios')),
  )
}

export function downloadPage(cgi: string, fields: Fields, action: ActionOf): Buffer {
  return portalPage(
    'Folios autorizados',
    `<p>El SII ha autorizado el rango de folios. Descargue el archivo presionando</p>${form('frm', action(cgi), fields, submit('AQUI'))}`,
  )
}

/** One form for each range: the page to re-obtain or to annul one of them. */
export function rangesPage(
  title: string,
  cgi: string,
  company: Fields,
  ranges: readonly Range[],
  action: ActionOf,
): Buffer {
  if (ranges.length === 0) return portalPage(title, '<p>No se encontraron folios autorizados</p>')
  const forms = ranges.map((range) => form('frm', action(cgi), { ...company, ...rangeFields(range) }, submit('Ver')))
  return portalPage(title, `${rangesTable(ranges)}\n${forms.join('\n')}`)
}

export function rangeFields(range: Range): Fields {
  const [year = '', month = '', day = ''] = range.date.split('-')
  return {
    COD_DOCTO: range.tipo,
    FOLIO_INI: range.from,
    FOLIO_FIN: range.to,
    CANT_DOCTOS: range.to - range.from + 1,
    DIA: day,
    MES: month,
    ANO: year,
  }
}

export function historyPage(ranges: readonly Range[]): Buffer {
  const body = ranges.length === 0 ? '<p>No se encontraron folios autorizados</p>' : rangesTable(ranges)
  return portalPage('Consulta de Folios Autorizados', body)
}

function rangesTable(ranges: readonly Range[]): string {
  const rows = ranges.map(({ date, from, to, person }) => [
    date.split('-').reverse().join('-'),
    String(to - from + 1),
    String(from),
    String(to),
    escapeMarkup(person.toUpperCase()),
  ])
  return table([['Fecha', 'Cantidad', 'Desde', 'Hasta', 'Mandatario'], ...rows])
}

export function annulPage(company: Fields, range: Range, action: ActionOf): Buffer {
  const asked = `Desde ${input('FOLIO_INI_A')} hasta ${input('FOLIO_FIN_A')} motivo ${input('MOTIVO')} ${submit('Anular')}`
  return portalPage(
    'Anulación de folios',
    form('frm', action('af_anular'), { ...company, ...rangeFields(range) }, asked),
  )
}

export function reobtainPage(company: Fields, range: Range, annulled: string, action: ActionOf): Buffer {
  const state = annulled === '' ? 'El rango no registra folios anulados' : `Folios anulados: ${annulled}`
  const fields = { ...company, ...rangeFields(range) }
  return portalPage(
    'Reobtención de folios',
    `<p>${state}</p>${form('frm', action('rf_genera_folio'), fields, submit('Reobtener'))}`,
  )
}

export function nameOf(tipo: number): string {
  return (DOCUMENTS[tipo]?.name ?? `Documento ${tipo}`).toUpperCase()
}
