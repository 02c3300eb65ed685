import { escapeMarkup } from '../markup.ts'
import { nameOf } from './folio-pages.ts'
import { portalPage, table } from './page.ts'

/** What the public pages tell of a taxpayer. */
export interface CompanyFacts {
  readonly rut: string
  readonly name: string
  readonly resolution_number: number
  /** Civil date. */
  readonly resolution_date: string
  readonly tipos: readonly number[]
  readonly mailbox: string
  readonly contact: string
  readonly software: string
}

/** `ee_empresa_rut`: open to anybody. */
export function authorisedPage(facts: CompanyFacts | null, rut: string): Buffer {
  if (facts === null)
    return portalPage(
      'Consulta de empresas autorizadas',
      `<p>El contribuyente ${escapeMarkup(rut)} no se encuentra autorizado para emitir documentos tributarios electrónicos</p>`,
    )
  const date = dashed(facts.resolution_date)
  const rows = facts.tipos.map((tipo) => [String(tipo), escapeMarkup(nameOf(tipo)), date, '&nbsp;'])
  const body = [
    table([
      ['RUT', escapeMarkup(facts.rut)],
      ['Nombres', escapeMarkup(facts.name)],
      ['N° Resolución', String(facts.resolution_number)],
      ['Fecha Resolución', date],
      ['Dirección Regional', 'SIMULADOR'],
    ]),
    '<p>El contribuyente tiene autorizada la emisión de los siguientes documentos electrónicos:</p>',
    table([['Código', 'Descripción', 'Autorizado desde', 'Desautorizado desde'], ...rows]),
  ].join('\n')
  return portalPage('Consulta de empresas autorizadas', body)
}

/** `ad_empresa2`: the software and the resolution on record. */
export function softwarePage(facts: CompanyFacts): Buffer {
  return portalPage(
    'Datos de la empresa',
    table([
      ['RUT', escapeMarkup(facts.rut)],
      ['Razón Social', escapeMarkup(facts.name)],
      ['Nombre del Software (*)', escapeMarkup(facts.software)],
      ['Resolución', String(facts.resolution_number)],
      ['Fecha Resolución', dashed(facts.resolution_date)],
      ['Mail Contacto SII', escapeMarkup(facts.contact)],
      ['Mail Intercambio', escapeMarkup(facts.mailbox)],
    ]),
  )
}

/** `ce_consulta_e`: where the taxpayer takes documents by mail. */
export function mailboxPage(facts: CompanyFacts): Buffer {
  return portalPage(
    'Consulta de contribuyentes electrónicos',
    table([
      ['RUT', escapeMarkup(facts.rut)],
      ['Razón Social', escapeMarkup(facts.name)],
      ['N° Resolución', String(facts.resolution_number)],
      ['Fecha Resolución', dashed(facts.resolution_date)],
      ['Mail Intercambio', escapeMarkup(facts.mailbox)],
    ]),
  )
}

/** `ce_empresas_dwnld`: one line for each taxpayer, ISO-8859-1. */
export function companiesCsv(companies: readonly CompanyFacts[]): Buffer {
  const rows = companies.map(({ rut, name, resolution_number, resolution_date, mailbox }) =>
    [rut, name.replaceAll(';', ' '), resolution_number, dashed(resolution_date), mailbox, ''].join(';'),
  )
  const header = 'RUT;RAZON SOCIAL;NUMERO RESOLUCION;FECHA RESOLUCION;MAIL INTERCAMBIO;URL'
  return Buffer.from(`${[header, ...rows].join('\n')}\n`, 'latin1')
}

function dashed(date: string): string {
  return date.split('-').reverse().join('-')
}
