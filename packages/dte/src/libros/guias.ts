import { piece, signEnvelope } from '../envelope/sign.ts'
import type { Resolucion } from '../envelope/sobre.ts'
import { accept, type Outcome } from '../refusal.ts'
import type { Signer } from '../signature/sign.ts'
import { Form, type FormRule } from '../xml/form.ts'
import { textElement } from '../xml/write.ts'
import { writePeriod } from './libros.ts'

/** Libro de guías de despacho (LibroGuia_v10.xsd), asked for by the certification of tipo 52. */
export interface LibroGuia {
  readonly emisor_rut: string
  readonly envia_rut: string
  /** `AAAA-MM`. */
  readonly period: string
  readonly resolucion: Resolucion
  /** The SII asks for this book by notification only. */
  readonly notification_number: number
  readonly entries: readonly GuiaEntry[]
  readonly tmst_firma: string
}

export interface GuiaEntry {
  readonly folio: number
  /** `before` it reached the SII the folio is lost; `after`, the guía is. */
  readonly annulled?: 'before' | 'after'
  /** IndTraslado of the guía: 1 is a sale. */
  readonly transfer_type: number
  readonly date: string
  readonly rut: string
  readonly legal_name?: string
  readonly net?: number
  readonly iva_rate?: number
  readonly iva?: number
  readonly total?: number
  /** Total after a correction. */
  readonly modified_total?: number
  /** The factura that billed it. */
  readonly reference?: { readonly tipo_doc: number; readonly folio: number; readonly date: string }
}

const SALE = 1
const ANNULLED = { before: 1, after: 2 } as const

export async function buildLibroGuia(libro: LibroGuia, signer: Signer): Promise<Outcome<string, FormRule>> {
  const form = new Form()
  form.count('entries', libro.entries.length, 1, 100_000)
  const parts = [
    writeCaratula(libro, form),
    writeTotals(libro.entries),
    ...libro.entries.map((entry, index) => writeEntry(entry, `entries[${index}]`, form)),
    form.timestamp('TmstFirma', libro.tmst_firma, 'tmst_firma'),
  ]
  const checked = form.outcome([piece(`\n${parts.join('\n')}\n`)])
  if (!checked.ok) return checked
  const envelope = {
    root: 'LibroGuia',
    schema: 'LibroGuia_v10.xsd',
    body: 'EnvioLibro',
    id: `LibroGuia${libro.period}`,
  }
  return accept(await signEnvelope({ ...envelope, content: checked.value }, signer))
}

function writeCaratula(libro: LibroGuia, form: Form): string {
  return (
    `<Caratula>${form.rut('RutEmisorLibro', libro.emisor_rut, 'emisor_rut')}` +
    form.rut('RutEnvia', libro.envia_rut, 'envia_rut') +
    writePeriod(libro.period, form) +
    form.date('FchResol', libro.resolucion.date, 'resolucion.date') +
    form.integer('NroResol', libro.resolucion.number, 'resolucion.number', 0, 999_999) +
    '<TipoLibro>ESPECIAL</TipoLibro><TipoEnvio>TOTAL</TipoEnvio>' +
    `${form.integer('FolioNotificacion', libro.notification_number, 'notification_number', 1)}</Caratula>`
  )
}

function writeTotals(entries: readonly GuiaEntry[]): string {
  const standing = entries.filter(({ annulled }) => annulled === undefined)
  const sales = standing.filter(({ transfer_type }) => transfer_type === SALE)
  const others = [...new Set(standing.map(({ transfer_type }) => transfer_type))].filter((type) => type !== SALE).sort()
  return (
    `<ResumenPeriodo>${positive('TotFolAnulado', entries.filter(({ annulled }) => annulled === 'before').length)}` +
    positive('TotGuiaAnulada', entries.filter(({ annulled }) => annulled === 'after').length) +
    `<TotGuiaVenta>${sales.length}</TotGuiaVenta><TotMntGuiaVta>${sum(sales, 'total')}</TotMntGuiaVta>` +
    positive('TotMntModificado', sum(standing, 'modified_total')) +
    others
      .map((type) => {
        const moved = standing.filter(({ transfer_type }) => transfer_type === type)
        const amount = positive('MntGuia', sum(moved, 'total'))
        return `<TotTraslado><TpoTraslado>${type}</TpoTraslado><CantGuia>${moved.length}</CantGuia>${amount}</TotTraslado>`
      })
      .join('') +
    '</ResumenPeriodo>'
  )
}

function sum(entries: readonly GuiaEntry[], of: 'total' | 'modified_total'): number {
  return entries.reduce((total, entry) => total + (entry[of] ?? 0), 0)
}

function positive(name: string, value: number): string {
  return value > 0 ? textElement(name, value) : ''
}

function writeEntry(entry: GuiaEntry, path: string, form: Form): string {
  return (
    `<Detalle>${form.integer('Folio', entry.folio, `${path}.folio`, 1, 9_999_999_999)}` +
    (entry.annulled === undefined ? '' : textElement('Anulado', ANNULLED[entry.annulled])) +
    form.integer('TpoOper', entry.transfer_type, `${path}.transfer_type`, 1, 7) +
    form.date('FchDoc', entry.date, `${path}.date`) +
    form.rut('RUTDoc', entry.rut, `${path}.rut`) +
    form.text('RznSoc', entry.legal_name, 50, `${path}.legal_name`) +
    form.integer('MntNeto', entry.net, `${path}.net`) +
    (entry.iva_rate === undefined ? '' : textElement('TasaImp', entry.iva_rate)) +
    form.integer('IVA', entry.iva, `${path}.iva`) +
    form.integer('MntTotal', entry.total, `${path}.total`) +
    form.integer('MntModificado', entry.modified_total, `${path}.modified_total`) +
    form.integer('TpoDocRef', entry.reference?.tipo_doc, `${path}.reference.tipo_doc`, 1, 999) +
    form.integer('FolioDocRef', entry.reference?.folio, `${path}.reference.folio`, 1, 9_999_999_999) +
    `${form.date('FchDocRef', entry.reference?.date, `${path}.reference.date`)}</Detalle>`
  )
}
