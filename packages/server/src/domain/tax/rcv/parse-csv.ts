import { isUtf8 } from 'node:buffer'
import { continues, type ExportKind, Header, isContinuation, NotTheExport, readLine, taxOf } from './export-line.ts'
import { LineFault } from './export-values.ts'
import type { OtherTax, RcvReading } from './row.ts'
import type { PartialError } from './sync-block.ts'

/** An entry, or a line that could not be read. */
export type Line = { readonly entry: RcvReading } | { readonly error: PartialError }

const CHUNK_BYTES = 64 * 1024
/** A line of the longest export is a thousandth of this: whatever is longer is no line of it. */
const LINE_CHARS = 256 * 1024

/** The lines of a file, a chunk at a time, so that a file of any length is never text as a whole. */
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

type Open = { entry: RcvReading & { readonly other_taxes: OtherTax[] } }

/**
 * Reads an export of the register as it streams by: line 1 names the columns, each other one is a document, and a line
 * without a number goes on with the other taxes of the document above it. A line that cannot be read is told, with its
 * column, and the rest goes on. What is not this export is refused as a whole.
 */
export function* readExport(file: Uint8Array, kind: ExportKind): Generator<Line> {
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
        continueWith(header, record, open)
        continue
      }
      if (open) yield open
      open = null
      const entry = readLine(header, record)
      open = { entry: { ...entry, other_taxes: [...entry.other_taxes] } }
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      yield { error: { ...kind, line, column: error.column, message: error.message } }
    }
  }
  if (open) yield open
  if (header === null) throw new NotTheExport('it is empty')
}

function continueWith(header: Header, record: readonly string[], open: Open | null): void {
  const tax = taxOf(header, record)
  if (!open || !continues(header, record, open.entry)) {
    throw new LineFault(header.label('tax_code'), 'it goes on with a document that is not above it')
  }
  if (tax) open.entry.other_taxes.push(tax)
}
