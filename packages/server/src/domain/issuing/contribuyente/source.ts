import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { IGNORED_MEMBERS, LAYOUTS, NominaRefused } from './layout.ts'

/** One text file of the nómina, by itself or in a .zip. */
export interface Source {
  readonly name: string
  /** Local time in Chile, as the .zip says; null where nothing does. */
  readonly published: string | null
  read(): AsyncIterable<Buffer>
}

const CHUNK_BYTES = 256 * 1024
// The biggest published file has 467 MB and shrinks to a fifth. Ten times both is ample; beyond lies no nómina.
const MAX_ENTRY_BYTES = 5 * 1024 ** 3
const MAX_RATIO = 60
const MAX_ENTRIES = 16
const MEMBERS = LAYOUTS.flatMap(({ members }) => members)

/** The nómina files in a path: itself, or the members of a .zip. Nothing is unpacked to disk. */
export async function sourcesIn(path: string): Promise<Source[]> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw new NominaRefused(`${path}: there is no such file.`)
  if (await startsAsZip(path)) return zipSources(path)
  if (path.toLowerCase().endsWith('.zip')) throw unreadable(path)
  const read = () => createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>
  return [{ name: basename(path), published: null, read }]
}

function unreadable(path: string): NominaRefused {
  return new NominaRefused(`${path}: it is not a whole .zip file. Download it again.`)
}

async function startsAsZip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.readUInt32LE() === 0x04034b50
  } finally {
    await file.close()
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false })
  } catch {
    throw unreadable(path)
  }
}

async function zipSources(path: string): Promise<Source[]> {
  const zip = await openZip(path)
  try {
    if (zip.entryCount > MAX_ENTRIES) throw new NominaRefused(`${path}: it holds ${zip.entryCount} files.`)
    const sources: Source[] = []
    for await (const entry of entriesOf(zip, path)) {
      const member = memberOf(path, entry)
      if (member === null) continue
      sources.push({ name: member, published: publishedOf(entry), read: () => readEntry(path, entry) })
    }
    if (sources.length === 0) throw new NominaRefused(`${path}: none of its files is one of ${MEMBERS.join(', ')}.`)
    return sources
  } finally {
    zip.close()
  }
}

async function* entriesOf(zip: ZipFile, path: string): AsyncIterable<Entry> {
  try {
    yield* zip.eachEntry()
  } catch (error) {
    throw error instanceof NominaRefused ? error : unreadable(path)
  }
}

/** The published name of an entry, null for one that is not needed. Any other is refused before it is opened. */
function memberOf(path: string, entry: Entry): string | null {
  const { fileName, compressedSize, uncompressedSize } = entry
  const same = (name: string) => name.toLowerCase() === basename(fileName).toLowerCase()
  if (fileName.endsWith('/') || IGNORED_MEMBERS.some(same)) return null
  const member = MEMBERS.find(same)
  if (!member) throw new NominaRefused(`${path}: it holds ${JSON.stringify(fileName)}, which is no file of the nómina.`)
  const bomb = uncompressedSize > MAX_ENTRY_BYTES || uncompressedSize > CHUNK_BYTES + compressedSize * MAX_RATIO
  if (bomb)
    throw new NominaRefused(`${path}: ${member} would unpack to ${uncompressedSize} bytes, far beyond any nómina.`)
  if (!entry.canDecodeFileData())
    throw new NominaRefused(`${path}: ${member} is encrypted or packed in an unknown way.`)
  return member
}

/** A .zip keeps the local time of where it was packed, without a zone; these are packed in Chile. */
function publishedOf(entry: Entry): string | null {
  const at = entry.getLastModDate({ timezone: 'UTC', forceDosFormat: true })
  return at.getUTCFullYear() < 1990 ? null : at.toISOString().slice(0, 19)
}

/** Reads one entry to its end and checks its checksum, so that a damaged file is never taken for a short one. */
async function* readEntry(path: string, entry: Entry): AsyncIterable<Buffer> {
  const zip = await openZip(path)
  let sum = 0
  try {
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum)
      yield chunk
    }
  } catch (error) {
    throw error instanceof NominaRefused ? error : unreadable(path)
  } finally {
    zip.close()
  }
  if (sum !== entry.crc32) throw unreadable(path)
}
