import type { Facade, FacadeBody, FacadeCaller } from '../facade/facade.ts'
import { type Json, type JsonRecord, numberIn, rowsOf, textIn } from '../facade/json.ts'
import { drift } from '../failure.ts'
import { fold } from '../portal/fold.ts'
import type { Read } from '../wire.ts'
import { readRcv } from './answer.ts'
import { PURCHASE_COLUMNS, type PurchaseState, SALE_COLUMNS } from './columns.ts'

export interface RcvQuestion extends FacadeCaller {
  /** Of the taxpayer whose register it is. */
  readonly rut: string
  /** `YYYY-MM` */
  readonly period: string
}

/** Purchases in one state, or sales, which have none. */
export type RcvBook = { readonly side: 'purchase'; readonly estado: PurchaseState } | { readonly side: 'sale' }

/** What the register holds of one tipo (getResumen). Boletas and vouchers are here and in no export. */
export interface RcvTotals {
  readonly tipo: number
  readonly documents: number
  readonly exempt: number
  readonly net: number
  readonly iva: number
  readonly total: number
}

/** One document of the register (getDetalle…), without the taxes that only the export has. */
export interface RcvDetail {
  readonly tipo: number
  /** Of the other party. */
  readonly rut: string
  readonly name: string | null
  readonly folio: number
  /** As the SII writes them: `DD/MM/AAAA`, and the hour where it has one. */
  readonly date: string | null
  readonly received_at: string | null
  readonly acknowledged_at: string | null
  readonly claimed_at: string | null
  readonly exempt: number
  readonly net: number
  readonly iva: number
  readonly total: number
}

const APP = 'consdcvinternetui'
const RCV_NAMESPACE = 'cl.sii.sdi.lob.diii.consdcv.data.api.interfaces.FacadeService'
/** A month of a large taxpayer: a hundred thousand lines of some three hundred characters. */
const EXPORT_BYTES = 48 * 1024 * 1024
/** The application itself sends this literal. */
const NO_CAPTCHA = 't-o-k-e-n-web'

export function askRcv<T>(
  facade: Facade,
  caller: FacadeCaller,
  method: string,
  data: Json,
  read: (body: FacadeBody) => Read<T>,
  max_bytes?: number,
): Promise<T> {
  const limits = max_bytes === undefined ? {} : { max_bytes }
  return facade(caller, { app: APP, service: 'facadeService', namespace: RCV_NAMESPACE, method, data, ...limits }, read)
}

export function rcvTotals(facade: Facade, question: RcvQuestion, book: RcvBook): Promise<readonly RcvTotals[]> {
  const data = { ...bookData(question, book), busquedaInicial: true }
  return askRcv(
    facade,
    question,
    'getResumen',
    data,
    readRcv((rows) => rowsOf(rows, 'data').map(readTotals)),
  )
}

export function rcvDetail(
  facade: Facade,
  question: RcvQuestion,
  book: RcvBook,
  tipo: number,
): Promise<readonly RcvDetail[]> {
  const method = book.side === 'purchase' ? 'getDetalleCompra' : 'getDetalleVenta'
  const captcha = { accionRecaptcha: book.side === 'purchase' ? 'RCV_DETC' : 'RCV_DETV', tokenRecaptcha: NO_CAPTCHA }
  const data = { ...bookData(question, book), codTipoDoc: String(tipo), ...captcha }
  return askRcv(
    facade,
    question,
    method,
    data,
    readRcv((rows) => rowsOf(rows, 'data').map(readDetail)),
    EXPORT_BYTES,
  )
}

/** The whole book as the CSV that the SII gives, header first, in UTF-8. A book that holds nothing has its header. */
export function rcvExport(facade: Facade, question: RcvQuestion, book: RcvBook, tipo = 0): Promise<Uint8Array> {
  const method = book.side === 'purchase' ? 'getDetalleCompraExport' : 'getDetalleVentaExport'
  const captcha = { accionRecaptcha: book.side === 'purchase' ? 'RCV_DDETC' : 'RCV_DDETV', tokenRecaptcha: NO_CAPTCHA }
  const data = { ...bookData(question, book), codTipoDoc: String(tipo), ...captcha }
  const read = readRcv((lines) => readExport(lines, columnsOf(book)))
  return askRcv(facade, question, method, data, read, EXPORT_BYTES)
}

/** What the application asks first: some sessions answer nothing else before (PROTOCOLS 13). Its data as it came. */
export function rcvStart(facade: Facade, question: RcvQuestion): Promise<unknown> {
  const { rutEmisor, dvEmisor, ptributario } = bookData(question, { side: 'sale' })
  return askRcv(
    facade,
    question,
    'getDatosInicio',
    { rutEmisor, dvEmisor, ptributario },
    readRcv((data) => data),
  )
}

function bookData({ rut, period }: RcvQuestion, book: RcvBook) {
  const [rutEmisor = '', dvEmisor = ''] = rut.split('-')
  return {
    rutEmisor,
    dvEmisor,
    ptributario: period.replace('-', ''),
    // It matters for purchases only; the application sends it for sales too.
    estadoContab: book.side === 'purchase' ? book.estado : 'REGISTRO',
    operacion: book.side === 'purchase' ? 'COMPRA' : 'VENTA',
  }
}

function readTotals(row: JsonRecord): RcvTotals {
  return {
    tipo: numberIn(row, 'rsmnTipoDocInteger'),
    documents: numberIn(row, 'rsmnTotDoc'),
    exempt: numberIn(row, 'rsmnMntExe'),
    net: numberIn(row, 'rsmnMntNeto'),
    iva: numberIn(row, 'rsmnMntIVA'),
    total: numberIn(row, 'rsmnMntTotal'),
  }
}

function readDetail(row: JsonRecord): RcvDetail {
  return {
    tipo: numberIn(row, 'detTipoDoc'),
    rut: `${numberIn(row, 'detRutDoc')}-${textIn(row, 'detDvDoc') ?? ''}`,
    name: textIn(row, 'detRznSoc'),
    folio: numberIn(row, 'detNroDoc'),
    date: textIn(row, 'detFchDoc'),
    received_at: textIn(row, 'detFecRecepcion'),
    acknowledged_at: textIn(row, 'detFecAcuse'),
    claimed_at: textIn(row, 'detFecReclamado'),
    exempt: numberIn(row, 'detMntExe'),
    net: numberIn(row, 'detMntNeto'),
    iva: numberIn(row, 'detMntIVA'),
    total: numberIn(row, 'detMntTotal'),
  }
}

function columnsOf(book: RcvBook): readonly string[] {
  return book.side === 'purchase' ? PURCHASE_COLUMNS[book.estado] : SALE_COLUMNS
}

function readExport(data: unknown, columns: readonly string[]): Uint8Array {
  if (data === null || data === undefined || (Array.isArray(data) && data.length === 0)) {
    return Buffer.from(`${columns.join(';')}\n`, 'utf8')
  }
  if (!Array.isArray(data) || !data.every((line): line is string => typeof line === 'string')) throw drift('data')
  const names = new Set(
    fold(data[0] ?? '')
      .split(';')
      .map((name) => name.trim()),
  )
  const lost = columns.find((column) => !names.has(fold(column)))
  if (lost !== undefined) throw drift(`column ${lost}`)
  return Buffer.from(`${data.map((line) => line.replace(/[\r\n]+/g, ' ')).join('\n')}\n`, 'utf8')
}
