import { once } from 'node:events'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file within the archive, written as it comes. */
export interface ZipEntry {
  readonly name: string
  readonly content: AsyncIterable<Buffer>
}

interface Written {
  readonly name: Buffer
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

// PKWARE APPNOTE 6.3: sizes and checksum follow the data (bit 3), names are UTF-8 (bit 11), method 8 is deflate.
const VERSION = 20
const FLAGS = 0x0808
const DEFLATE = 8
/** 1 January 1980, where time starts for the format: the same rows are the same bytes. */
const DATE = 0x0021

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(DEFLATE, 8)
  header.writeUInt16LE(DATE, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function descriptor({ crc, packed, size }: Pick<Written, 'crc' | 'packed' | 'size'>): Buffer {
  const after = Buffer.alloc(16)
  after.writeUInt32LE(0x08074b50, 0)
  after.writeUInt32LE(crc, 4)
  after.writeUInt32LE(packed, 8)
  after.writeUInt32LE(size, 12)
  return after
}

function centralHeader({ name, crc, packed, size, offset }: Written): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(VERSION, 6)
  header.writeUInt16LE(FLAGS, 8)
  header.writeUInt16LE(DEFLATE, 10)
  header.writeUInt16LE(DATE, 14)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(packed, 20)
  header.writeUInt32LE(size, 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt32LE(offset, 42)
  return Buffer.concat([header, name])
}

function ending(count: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(bytes, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

/** Deflates as it reads; the reader of the archive sets the pace. Gives the checksum and both sizes at the end. */
async function* deflated(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, Omit<Written, 'name' | 'offset'>> {
  const deflate = createDeflateRaw()
  let [crc, size, packed] = [0, 0, 0]
  const feed = async () => {
    for await (const chunk of content) {
      crc = crc32(chunk, crc)
      size += chunk.length
      if (!deflate.write(chunk)) await once(deflate, 'drain')
    }
    deflate.end()
  }
  const feeding = feed().catch((error: Error) => deflate.destroy(error))
  try {
    for await (const chunk of deflate) {
      packed += chunk.length
      yield chunk
    }
  } finally {
    deflate.destroy()
  }
  await feeding
  return { crc, size, packed }
}

/** An archive written from front to end, one entry after the other. Holds no entry, only what the directory says of each. */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const entry of entries) {
    const name = Buffer.from(entry.name)
    const start = offset
    const header = localHeader(name)
    offset += header.length
    yield header
    const facts = yield* deflated(entry.content)
    const after = descriptor(facts)
    offset += facts.packed + after.length
    yield after
    directory.push(centralHeader({ name, offset: start, ...facts }))
  }
  const central = Buffer.concat(directory)
  yield central
  yield ending(directory.length, central.length, offset)
}
