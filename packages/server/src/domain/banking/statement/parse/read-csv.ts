import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { parse as parseAll } from 'csv-parse/sync'
import { STATEMENTS } from '../../../../catalog/limits.ts'
import { parseHeader } from './header.ts'
import { refusedFile } from './refusal.ts'
import type { Sheet } from './sheet.ts'
import { isTwiceEncoded, type SheetRow } from './sheet.ts'

const SEPARATORS = [';', ',', '\t', '|'] as const
const CHUNK_BYTES = 64 * 1024
const RECORD_CHARS = 64 * 1024
/** Two bytes a letter in UTF-16. */
const ROW_BYTES = 2 * RECORD_CHARS
const NEWLINE = 0x0a
const RETURN = 0x0d
/** The header stands within the first lines, below the preamble of the bank. */
export const HEADER_WITHIN = 30
const BATCH = 500

interface Encoding {
  readonly label: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  readonly bom_bytes: number
}

/** By its byte order mark where it has one. Text that is not UTF-8 is windows-1252, which Windows writes in Chile and Latin-1 is part of. */
function encodingOf(bytes: Uint8Array): Encoding {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return { label: 'utf-8', bom_bytes: 3 }
  if (a === 0xff && b === 0xfe) return { label: 'utf-16le', bom_bytes: 2 }
  if (a === 0xfe && b === 0xff) return { label: 'utf-16be', bom_bytes: 2 }
  return { label: isUtf8(bytes) ? 'utf-8' : 'windows-1252', bom_bytes: 0 }
}

function* chunksOf(bytes: Uint8Array, { label, bom_bytes }: Encoding): Generator<string> {
  const decoder = new TextDecoder(label)
  for (let at = bom_bytes; at < bytes.length; at += CHUNK_BYTES) {
    yield decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true })
  }
  yield decoder.decode()
}

/** Text has no NUL and next to no other control characters; a picture or a program has plenty. */
function refuseBinary(head: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to be found
  const odd = head.match(/[\u0000-\u0008\u000e-\u001f]/g)?.length ?? 0
  if (head.includes('\0') || odd * 100 > head.length) {
    throw refusedFile('it is neither a spreadsheet (.xlsx) nor text (.csv)')
  }
}

/**
 * The parser counts the letters of a row against its limit and not the separators: a row of nothing else would keep it
 * busy for seconds. Both kinds of line ends are one byte in every encoding that is read here.
 */
function refuseEndlessRow(bytes: Uint8Array): void {
  let start = 0
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] !== NEWLINE && bytes[at] !== RETURN) continue
    if (at - start > ROW_BYTES) throw refusedFile('it has a row that never ends')
    start = at + 1
  }
}

function refuseManyColumns(cells: readonly string[], number: number): void {
  if (cells.length <= STATEMENTS.columns) return
  throw refusedFile(`row ${number} has more than ${STATEMENTS.columns} columns`)
}

const options = (delimiter: string) => ({
  delimiter,
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: false,
  max_record_size: RECORD_CHARS,
  trim: true,
})

function columnsNamed(head: string, separator: string): number {
  try {
    const records = parseAll(head, { ...options(separator), to: HEADER_WITHIN }) as string[][]
    return Math.max(0, ...records.map((cells, i) => parseHeader({ number: i + 1, cells })?.columns.length ?? 0))
  } catch {
    return 0
  }
}

/** The separator under which the first lines hold a header, with the most columns that mean something. */
function separatorOf(head: string): string {
  const found = SEPARATORS.map((separator) => ({ separator, named: columnsNamed(head, separator) }))
  const best = found.reduce((one, other) => (other.named > one.named ? other : one))
  return best.named > 0 ? best.separator : ';'
}

async function* batches(bytes: Uint8Array, encoding: Encoding, separator: string): AsyncGenerator<SheetRow[]> {
  const parser = parse(options(separator))
  // It holds every row against the columns of the first, and makes an error with a copy of each that has others, though
  // none is thrown: a file of such rows took it a minute. Of a first row it asks nothing.
  Object.defineProperty(parser.info, 'records', { get: () => 0, set: () => undefined })
  const records = Readable.from(chunksOf(bytes, encoding)).pipe(parser)
  let number = 0
  let batch: SheetRow[] = []
  try {
    for await (const cells of records as AsyncIterable<string[]>) {
      refuseManyColumns(cells, ++number)
      if (number > STATEMENTS.sheet_rows) throw refusedFile(`it has more than ${STATEMENTS.sheet_rows} lines`)
      batch.push({ number, cells })
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw refusedFile(`row ${number + 1} cannot be read: a quote that opens there never closes, or the row never ends`)
  }
  yield batch
}

export function openCsv(bytes: Uint8Array): Sheet {
  refuseEndlessRow(bytes)
  const encoding = encodingOf(bytes)
  let head = ''
  for (const chunk of chunksOf(bytes.subarray(0, CHUNK_BYTES), encoding)) head += chunk
  refuseBinary(head)
  // The last line of the head may be cut.
  const whole =
    bytes.length > CHUNK_BYTES ? head.slice(0, Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r')) + 1) : head
  const separator = separatorOf(whole)
  return {
    format: 'csv',
    encoding: isTwiceEncoded(head) ? `${encoding.label}, encoded twice` : encoding.label,
    separator,
    name: null,
    epoch1904: false,
    rows: () => batches(bytes, encoding, separator),
  }
}
