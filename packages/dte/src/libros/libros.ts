import { piece, signEnvelope } from '../envelope/sign.ts'
import type { Resolucion } from '../envelope/sobre.ts'
import { accept, type Outcome } from '../refusal.ts'
import type { Signer } from '../signature/sign.ts'
import { Form, type FormRule } from '../xml/form.ts'
import { textElement } from '../xml/write.ts'
import type { LibroEntry } from './entry.ts'
import { AMOUNTS_AFTER_TAXES, AMOUNTS_AFTER_TOTAL, AMOUNTS_BEFORE_TAXES } from './fields.ts'
import { writeTotals } from './totals.ts'

/** Libro de compras or of ventas (LibroCV_v10.xsd; SII, Formato IECV), which the certification still asks for. */
export interface LibroCompraVenta {
  readonly emisor_rut: string
  readonly envia_rut: string
  /** `AAAA-MM`. */
  readonly period: string
  readonly resolucion: Resolucion
  readonly operation: 'COMPRA' | 'VENTA'
  readonly kind: 'MENSUAL' | 'ESPECIAL' | 'RECTIFICA'
  /** TOTAL unless the book is sent in parts. */
  readonly delivery?: 'TOTAL' | 'PARCIAL' | 'FINAL' | 'AJUSTE'
  /** Asked for in an ESPECIAL book. */
  readonly notification_number?: number
  /** Given by the SII to rectify. */
  readonly authorisation_code?: string
  readonly entries: readonly LibroEntry[]
  /** Proportion of IVA of common use that gives credit, 0.001 to 99.999 as the schema has it. */
  readonly common_use_factor?: number
  readonly tmst_firma: string
}

export async function buildLibroCompraVenta(
  libro: LibroCompraVenta,
  signer: Signer,
): Promise<Outcome<string, FormRule>> {
  const form = new Form()
  const detail = libro.entries
    .filter(({ summary_only }) => summary_only !== true)
    .map((entry, index) => writeEntry(entry, `entries[${index}]`, form))
  const content = [
    writeCaratula(libro, form),
    libro.entries.length === 0
      ? ''
      : `<ResumenPeriodo>${writeTotals(libro.entries, libro.common_use_factor, form)}</ResumenPeriodo>`,
    ...detail,
    form.timestamp('TmstFirma', libro.tmst_firma, 'tmst_firma'),
  ]
  const id = `Libro${libro.operation}${libro.period}`
  const checked = form.outcome([piece(`\n${content.filter((part) => part !== '').join('\n')}\n`)])
  if (!checked.ok) return checked
  const schema = 'LibroCV_v10.xsd'
  return accept(
    await signEnvelope({ root: 'LibroCompraVenta', schema, body: 'EnvioLibro', id, content: checked.value }, signer),
  )
}

function writeCaratula(libro: LibroCompraVenta, form: Form): string {
  return (
    `<Caratula>${form.rut('RutEmisorLibro', libro.emisor_rut, 'emisor_rut')}` +
    form.rut('RutEnvia', libro.envia_rut, 'envia_rut') +
    writePeriod(libro.period, form) +
    form.date('FchResol', libro.resolucion.date, 'resolucion.date') +
    form.integer('NroResol', libro.resolucion.number, 'resolucion.number', 0, 999_999) +
    `<TipoOperacion>${libro.operation}</TipoOperacion><TipoLibro>${libro.kind}</TipoLibro>` +
    `<TipoEnvio>${libro.delivery ?? 'TOTAL'}</TipoEnvio>` +
    form.integer('FolioNotificacion', libro.notification_number, 'notification_number', 1, 9_999_999_999) +
    `${form.text('CodAutRec', libro.authorisation_code, 10, 'authorisation_code')}</Caratula>`
  )
}

export function writePeriod(period: string, form: Form): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(period)) return textElement('PeriodoTributario', period)
  return form.refuse('period', 'not_a_date', 'period is not a month such as 2026-10.')
}

function writeEntry(entry: LibroEntry, path: string, form: Form): string {
  const head =
    `<Detalle>${form.integer('TpoDoc', entry.tipo_doc, `${path}.tipo_doc`, 1, 999)}` +
    form.integer('NroDoc', entry.folio, `${path}.folio`, 1, 9_999_999_999)
  if (entry.annulled === true) return `${head}<Anulado>A</Anulado></Detalle>`
  const amounts = (rows: readonly (readonly [string, keyof LibroEntry])[]): string =>
    rows.map(([xml, key]) => form.integer(xml, entry[key] as number | undefined, `${path}.${key}`)).join('')
  return (
    head +
    (entry.iva_rate === undefined ? '' : textElement('TasaImp', entry.iva_rate)) +
    form.date('FchDoc', entry.date, `${path}.date`) +
    form.rut('RUTDoc', entry.rut, `${path}.rut`) +
    form.text('RznSoc', entry.legal_name, 50, `${path}.legal_name`) +
    form.integer('TpoDocRef', entry.reference?.tipo_doc, `${path}.reference.tipo_doc`, 1, 999) +
    form.integer('FolioDocRef', entry.reference?.folio, `${path}.reference.folio`, 1, 9_999_999_999) +
    amounts([
      ['MntExe', 'exempt'],
      ['MntNeto', 'net'],
      ['MntIVA', 'iva'],
    ]) +
    amounts([
      ['MntActivoFijo', 'fixed_asset_net'],
      ['MntIVAActivoFijo', 'fixed_asset_iva'],
    ]) +
    writeNotRecoverable(entry, path, form) +
    amounts(AMOUNTS_BEFORE_TAXES) +
    writeTaxes(entry, path, form) +
    amounts(AMOUNTS_AFTER_TAXES) +
    form.integer('MntTotal', entry.total, `${path}.total`) +
    `${amounts(AMOUNTS_AFTER_TOTAL)}</Detalle>`
  )
}

function writeNotRecoverable({ iva_not_recoverable = [] }: LibroEntry, path: string, form: Form): string {
  form.count(`${path}.iva_not_recoverable`, iva_not_recoverable.length, 0, 5)
  return iva_not_recoverable
    .map(({ code, amount }) => {
      const written = form.integer('MntIVANoRec', amount, `${path}.iva_not_recoverable`)
      return `<IVANoRec>${form.integer('CodIVANoRec', code, `${path}.iva_not_recoverable`, 1, 9)}${written}</IVANoRec>`
    })
    .join('')
}

function writeTaxes({ taxes = [] }: LibroEntry, path: string, form: Form): string {
  form.count(`${path}.taxes`, taxes.length, 0, 20)
  return taxes
    .map(({ code, rate, amount }) => {
      const rated = rate === undefined ? '' : textElement('TasaImp', rate)
      const head = form.integer('CodImp', code, `${path}.taxes`, 1, 999)
      return `<OtrosImp>${head}${rated}${form.integer('MntImp', amount, `${path}.taxes`)}</OtrosImp>`
    })
    .join('')
}
