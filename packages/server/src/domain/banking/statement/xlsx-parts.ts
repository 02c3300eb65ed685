import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { STATEMENTS } from '../../../catalog/limits.ts'
import { refusedFile } from './cell.ts'
import { type Tag, XmlScan } from './xml-scan.ts'

const DAMAGED = 'the spreadsheet is damaged, encrypted, or lies about what it holds'

/** The parts of a spreadsheet by their path. What they unpack to was bounded before any of them is opened. */
export class Parts {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>

  constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  has(path: string): boolean {
    return this.#entries.has(path)
  }

  /** The tags of a part, a chunk at a time. */
  async *tags(path: string): AsyncGenerator<Generator<Tag>> {
    const entry = this.#entries.get(path)
    if (!entry) throw refusedFile('the spreadsheet lacks a part that it names')
    const scan = new XmlScan()
    const decoder = new TextDecoder('utf-8')
    const stream = await this.#zip.openReadStreamPromise(entry).catch(() => {
      throw refusedFile(DAMAGED)
    })
    const chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
    for (;;) {
      const chunk = await chunks.next().catch(() => {
        throw refusedFile(DAMAGED)
      })
      if (chunk.done) return
      yield scan.push(decoder.decode(chunk.value, { stream: true }))
    }
  }
}

function refuseBomb(entry: Entry, total: number): void {
  const { uncompressedSize, compressedSize } = entry
  const tight = uncompressedSize > STATEMENTS.small_bytes && uncompressedSize > compressedSize * STATEMENTS.zip_ratio
  if (tight || total > STATEMENTS.unzipped_bytes) {
    throw refusedFile('the spreadsheet unpacks to far more than a cartola holds')
  }
}

/** Opens a spreadsheet by its directory alone: what it claims to unpack to is known before a byte is unpacked. */
export async function openParts(bytes: Buffer): Promise<Parts> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true }).catch(() => {
    throw refusedFile(DAMAGED)
  })
  if (zip.entryCount > STATEMENTS.zip_entries) throw refusedFile('the spreadsheet holds too many parts')
  const entries = new Map<string, Entry>()
  let total = 0
  try {
    for await (const entry of zip.eachEntry()) {
      total += entry.uncompressedSize
      refuseBomb(entry, total)
      entries.set(entry.fileName.replace(/^\//, ''), entry)
    }
  } catch (error) {
    throw error instanceof Error && error.name === 'Problem' ? error : refusedFile(DAMAGED)
  }
  return new Parts(zip, entries)
}
