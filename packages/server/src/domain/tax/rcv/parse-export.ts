import { isUtf8 } from 'node:buffer'
import { TIPO, tiposOf, tiposOfTax } from '@timbre/dte/values'
import type { TipoCompra, TipoVenta } from '../../../catalog/rcv.ts'
import {
  type Cell,
  cleanCell,
  LineError,
  parseDate,
  parseFolios,
  parseInstant,
  parseIvaCode,
  parseNumber,
  parsePesos,
  parseRut,
  parseTax,
  parseTipo,
} from './export-cells.ts'
import { type ExportKind, type Field, Header, NAME_CHARS, NotTheExport } from './export-header.ts'
import type { OtherTax, RcvReading } from './row.ts'
import type { PartialError } from './schema.ts'

/** An entry, or a line that could not be read. */
export type Line = { readonly entry: RcvReading } | { readonly error: PartialError }

/** How much of a line that cannot be read is shown to whoever looks after it. */
const SHOWN_CHARS = 500

/** Purchases that wait, were claimed or are left out give no credit, so the declaration is whole without them. */
export function isDeclared({ side, estado_contable }: ExportKind): boolean {
  return side === 'sale' || estado_contable === 'REGISTRO'
}

const CHUNK_BYTES = 64 * 1024
/** The longest line of an export is a thousandth of this: a longer one is no export. */
const LINE_CHARS = 256 * 1024

/** Decodes a chunk at a time: a file of any length is never held as text as a whole. */
function* linesOf(file: Uint8Array): Generator<string> {
  const decoder = new TextDecoder(isUtf8(file) ? 'utf-8' : 'windows-1252')
  let rest = ''
  for (let at = 0; at < file.length; at += CHUNK_BYTES) {
    const lines = (rest + decoder.decode(file.subarray(at, at + CHUNK_BYTES), { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_CHARS) throw new NotTheExport('a line of it never ends')
    yield* lines
  }
  yield rest + decoder.decode()
}

// The SII never writes NUL; a spreadsheet, a picture or text in UTF-16 has one soon.
function refuseBinary(file: Uint8Array): void {
  if (file.subarray(0, 4096).includes(0)) throw new NotTheExport('it is not text')
}

/** Whether a line only continues the other taxes of the document above it. */
function isContinuation(header: Header, record: readonly string[]): boolean {
  return (
    header.text(record, 'nro') === '' && header.text(record, 'total') === '' && header.text(record, 'tax_code') !== ''
  )
}

function taxOf(header: Header, record: readonly string[]): OtherTax | null {
  return parseTax(header.cell(record, 'tax_code'), header.cell(record, 'tax_amount'), header.cell(record, 'tax_rate'))
}

/** Whether a continuation belongs to the document above it. Most name no folio. */
function continues(header: Header, record: readonly string[], entry: RcvReading): boolean {
  const folio = header.text(record, 'folio')
  return folio === '' || folio === String(entry.folio)
}

function amountsIn(header: Header, record: readonly string[]) {
  const pesos = (field: Field) => {
    const cell = header.cell(record, field)
    return cell ? parsePesos(cell) : 0
  }
  return {
    net: pesos('net'),
    exempt: pesos('exempt'),
    iva: pesos('iva'),
    iva_not_recoverable: pesos('iva_not_recoverable'),
    iva_not_recoverable_code: parseIvaCode(header.cell(record, 'iva_not_recoverable_code')),
    iva_common_use: pesos('iva_common_use'),
    iva_fixed_assets: pesos('iva_fixed_assets'),
    iva_late: pesos('iva_late'),
    net_fixed_assets: pesos('net_fixed_assets'),
  }
}

function totalIn(header: Header, record: readonly string[]): number {
  const cell = header.cell(record, 'total')
  if (!cell || cell.text === '') throw new LineError(header.label('total'), 'it is empty: the total is needed')
  return parsePesos(cell)
}

const TIPO_MOST = 999
const FOLIO_MOST = 999_999_999_999

const NOTAS = tiposOf('nota_de_debito', 'nota_de_credito')

/**
 * The tipo that a document refers to. The register of purchases has no column for it, but marks the notas that are about
 * a factura de compra; so does a tax that only facturas de compra withhold.
 */
function referenceOf(header: Header, record: readonly string[], tipo_doc: number, tax: OtherTax | null): number | null {
  const cell = header.cell(record, 'reference_tipo_doc')
  if (cell && !['', '0'].includes(cell.text)) return parseNumber(cell, TIPO_MOST)
  if (!NOTAS.includes(tipo_doc)) return null
  const marked = !['', '0'].includes(header.text(record, 'about_factura_de_compra'))
  const withheld = tax !== null && tiposOfTax(tax.code).includes(TIPO.factura_de_compra)
  return marked || withheld ? TIPO.factura_de_compra : null
}

/** One document of the export. */
function parseLine(header: Header, record: readonly string[]): RcvReading {
  if (record.length < header.width)
    throw new LineError(null, `it ends after ${record.length} of ${header.width} columns`)
  if (record.slice(header.width).some((text) => cleanCell(text) !== '')) {
    throw new LineError(null, `it has more than ${header.width} columns`)
  }
  const { side, estado_contable } = header.kind
  const needed = (field: Field) => header.cell(record, field) as Cell
  const tipo_doc = parseNumber(needed('tipo_doc'), TIPO_MOST)
  const tipo = parseTipo(side, needed('tipo'))
  const tax = taxOf(header, record)
  return {
    side,
    estado_contable,
    tipo_doc,
    folio: parseNumber(needed('folio'), FOLIO_MOST),
    counterparty_rut: parseRut(needed('counterparty_rut')),
    counterparty_name: header.text(record, 'counterparty_name').slice(0, NAME_CHARS) || null,
    issue_date: parseDate(needed('issue_date')),
    received_at: parseInstant(header.cell(record, 'received_at')),
    acknowledged_at: parseInstant(header.cell(record, 'acknowledged_at')),
    claimed_at: parseInstant(header.cell(record, 'claimed_at')),
    ...amountsIn(header, record),
    total: totalIn(header, record),
    other_taxes: tax ? [tax] : [],
    documents: 1,
    tipo_compra: side === 'purchase' ? (tipo as TipoCompra) : null,
    tipo_venta: side === 'sale' ? (tipo as TipoVenta) : null,
    reference_tipo_doc: referenceOf(header, record, tipo_doc, tax),
    reference_folios: parseFolios(header.cell(record, 'reference_folios')),
    other_columns: header.others(record),
  }
}

/** A document whose continuation lines may still follow. */
type Open = { entry: RcvReading & { readonly other_taxes: OtherTax[] } }

/**
 * Parses an export of the register as a stream: line 1 names the columns, each other one is a document, and a line
 * without a number continues the other taxes of the document above it. A line that cannot be read is yielded as an
 * error with its column, and the rest is parsed. A file that is not this export is refused as a whole.
 */
export function* parseExport(file: Uint8Array, kind: ExportKind): Generator<Line> {
  refuseBinary(file)
  let header: Header | null = null
  let open: Open | null = null
  let line = 0
  for (const text of linesOf(file)) {
    line++
    if (text === '' || text === '\r') continue
    // Quotes are plain characters: the SII writes none around a cell, and names of companies hold single ones.
    const record = text.split(';')
    if (header === null) {
      header = new Header(kind, record)
      continue
    }
    try {
      if (isContinuation(header, record)) {
        appendTax(header, record, open)
        continue
      }
      if (open) yield open
      open = null
      const entry = parseLine(header, record)
      open = { entry: { ...entry, other_taxes: [...entry.other_taxes] } }
    } catch (error) {
      if (!(error instanceof LineError)) throw error
      const shown = text.trimEnd().slice(0, SHOWN_CHARS)
      const blocks_filing = isDeclared(kind)
      yield { error: { ...kind, line, column: error.column, message: error.message, text: shown, blocks_filing } }
    }
  }
  if (open) yield open
  if (header === null) throw new NotTheExport('it is empty')
}

function appendTax(header: Header, record: readonly string[], open: Open | null): void {
  const tax = taxOf(header, record)
  if (!open || !continues(header, record, open.entry)) {
    throw new LineError(header.label('tax_code'), 'it goes on with a document that is not above it')
  }
  if (tax) open.entry.other_taxes.push(tax)
}
