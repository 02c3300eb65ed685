import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { STATEMENTS } from '../../../../catalog/limits.ts'
import { refusedFile } from './refusal.ts'
import { type Tag, TagScanner } from './xml-tags.ts'

const DAMAGED = 'the spreadsheet is damaged, encrypted, or lies about what it holds'

/** The parts of a spreadsheet by their path. `openParts` bounded their unpacked size before any of them is opened. */
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
    const scanner = new TagScanner()
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
      yield scanner.push(decoder.decode(chunk.value, { stream: true }))
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

/** Reads the directory of the zip alone: the unpacked size that it claims is checked before a byte is unpacked. */
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
