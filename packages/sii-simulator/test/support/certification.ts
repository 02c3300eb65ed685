import { expectedOf } from '../../src/certification/expected.ts'
import { certificationOf } from '../../src/certification/register.ts'
import { type Case, caseName, type Section } from '../../src/certification/set.ts'
import { openSession } from '../../src/portal/session.ts'
import { documentKey, uploadKey } from '../../src/state/state.ts'
import type { Upload, UploadKind } from '../../src/state/types.ts'
import type { Browser, Page } from './portal.ts'
import { openBrowser } from './portal.ts'
import type { World } from './world.ts'

export const COMPANY = '76543210-3'
export const EMPRESA = { RUT_EMP: '76543210', DV_EMP: '3' }
export const PE = '/maullin.sii.cl/cvc_cgi/dte'

/** A session of the person, without the work of a handshake. */
export function enter(world: World, rut = '12345678-5'): Browser {
  const browser = openBrowser(world, false)
  const session = openSession(world.simulator, rut, 'certificate')
  browser.cookies.set('TOKEN', session?.token ?? '')
  return browser
}

/** The words of a page, without its marks. */
export function wordsOf(page: Page): string {
  return page.text
    .replace(/<(script|title)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A file as if it had come through the upload and been found good: its signatures are not what is tested here. */
export function plantUpload(world: World, kind: UploadKind, xml: string, change: Partial<Upload> = {}): string {
  const { state, clock } = world.simulator
  const track_id = String(state.next('track_dte', 260_000_001)).padStart(10, '0')
  const key = uploadKey('certificacion', track_id)
  const upload: Upload = {
    track_id,
    ambiente: 'certificacion',
    channel: 'dte',
    kind,
    sender_rut: '12345678-5',
    company_rut: COMPANY,
    file_name: 'envio.xml',
    sha256: track_id,
    size: xml.length,
    received_at: clock.now(),
    verdict_at: clock.now(),
    fate: {},
    verdict: {
      estado: kind.startsWith('Libro') ? 'LOK' : 'EPR',
      glosa: '',
      findings: [],
      documents: [],
      counters: [],
    },
    ...change,
  }
  state.uploads.put(key, upload)
  state.files.put(key, Buffer.from(xml, 'latin1'))
  return track_id
}

/** The text of a document as the SII has it on record. */
export function plantDocument(world: World, tipo: number, folio: number, xml: string): void {
  world.simulator.state.document_files.put(
    documentKey('certificacion', COMPANY, tipo, folio),
    Buffer.from(xml, 'latin1'),
  )
}

export function sectionOf(world: World, kind: Section['kind']): Section {
  const section = certificationOf(world.simulator, COMPANY)?.set?.sections.find((one) => one.kind === kind)
  if (section === undefined) throw new Error(`the set has no ${kind}`)
  return section
}

const tag = (name: string, value: string | number | null | undefined) =>
  value === null || value === undefined ? '' : `<${name}>${String(value).replaceAll('&', '&amp;')}</${name}>`

/** The envelope that answers a section; folios are 100 and the number of the case. */
export function answerOf(section: Section): string {
  return envelope(section.cases.map((one) => answerCase(section, one)))
}

export const envelope = (documents: readonly string[]) =>
  `<?xml version="1.0" encoding="ISO-8859-1"?><EnvioDTE><SetDTE ID="S"><Caratula/>${documents.join('')}</SetDTE></EnvioDTE>`

export function documentXml(tipo: number, folio: number, receptor: string, rest: string, totals: string): string {
  const header =
    `<Encabezado><IdDoc>${tag('TipoDTE', tipo)}${tag('Folio', folio)}${tag('FchEmis', '2026-10-05')}</IdDoc>` +
    `<Emisor>${tag('RUTEmisor', COMPANY)}</Emisor><Receptor>${tag('RUTRecep', receptor)}</Receptor><Totales>${totals}</Totales></Encabezado>`
  return `<DTE><Documento ID="D">${header}${rest}${tag('TmstFirma', '2026-10-05T12:00:00')}</Documento></DTE>`
}

function answerCase(section: Section, one: Case): string {
  const { lines, totals } = expectedOf(section, one)
  const [amounts] = totals
  const original = section.cases.find(({ number }) => number === one.reference?.case)
  const boleta = section.kind.startsWith('boletas')
  let root: Case | undefined = one
  while (root?.reference != null) root = section.cases.find(({ number }) => number === root?.reference?.case)
  const set = boleta
    ? `<Referencia>${tag('CodRef', 'SET')}${tag('RazonRef', caseName(section, one.number))}</Referencia>`
    : `<Referencia>${tag('TpoDocRef', 'SET')}${tag('FolioRef', 1)}${tag('RazonRef', caseName(section, one.number))}</Referencia>`
  const other =
    original === undefined
      ? ''
      : `<Referencia>${tag('TpoDocRef', original.tipo)}${tag('FolioRef', 100 + original.number)}${tag('CodRef', one.reference?.code)}</Referencia>`
  const details = lines.map(
    (line) =>
      `<Detalle>${line.exempt ? tag('IndExe', 1) : ''}${tag('NmbItem', line.name)}${tag('QtyItem', line.quantity ?? 1)}` +
      `${tag('UnmdItem', line.unit)}${tag('PrcItem', line.price)}${tag('DescuentoPct', line.discount)}${tag('MontoItem', line.amounts.at(-1))}</Detalle>`,
  )
  const discount =
    one.global_discount === null
      ? ''
      : `<DscRcgGlobal>${tag('TpoMov', 'D')}${tag('TpoValor', '%')}${tag('ValorDR', one.global_discount)}</DscRcgGlobal>`
  const sums =
    tag('MntNeto', amounts?.neto) +
    tag('MntExe', amounts?.exento) +
    tag('IVA', amounts?.iva) +
    tag('MntTotal', totals.at(-1)?.total)
  const receptor = boleta ? '66666666-6' : `${70_000_000 + (root?.number ?? 0)}-1`
  return documentXml(one.tipo, 100 + one.number, receptor, `${details.join('')}${discount}${set}${other}`, sums)
}

/** The sales of a section in a book of sales. */
export function salesBook(section: Section): string {
  const rows = section.cases.map((one) => ({ one, amounts: expectedOf(section, one).totals[0] }))
  const tipos = [...new Set(rows.map(({ one }) => one.tipo))]
  const sum = (tipo: number, name: 'exento' | 'neto' | 'iva' | 'total') =>
    rows.filter(({ one }) => one.tipo === tipo).reduce((total, { amounts }) => total + (amounts?.[name] ?? 0), 0)
  const sums = tipos.map(
    (tipo) =>
      `<TotalesPeriodo>${tag('TpoDoc', tipo)}${tag('TotDoc', rows.filter(({ one }) => one.tipo === tipo).length)}${tag('TotMntExe', sum(tipo, 'exento'))}` +
      `${tag('TotMntNeto', sum(tipo, 'neto'))}${tag('TotMntIVA', sum(tipo, 'iva'))}${tag('TotMntTotal', sum(tipo, 'total'))}</TotalesPeriodo>`,
  )
  const lines = rows.map(
    ({ one, amounts }) =>
      `<Detalle>${tag('TpoDoc', one.tipo)}${tag('NroDoc', 100 + one.number)}${tag('MntExe', amounts?.exento)}${tag('MntNeto', amounts?.neto)}` +
      `${tag('MntIVA', amounts?.iva)}${tag('MntTotal', amounts?.total)}</Detalle>`,
  )
  return (
    `<LibroCompraVenta><EnvioLibro ID="L"><Caratula>${tag('TipoOperacion', 'VENTA')}${tag('TipoLibro', 'ESPECIAL')}${tag('TipoEnvio', 'TOTAL')}` +
    `${tag('FolioNotificacion', 1)}</Caratula><ResumenPeriodo>${sums.join('')}</ResumenPeriodo>${lines.join('')}</EnvioLibro></LibroCompraVenta>`
  )
}
