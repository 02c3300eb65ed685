import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { RECEPTION } from '../../catalog/reception.ts'
import type { Fault } from '../../ports/inspection.ts'

export interface ZipMember {
  readonly name: string
  readonly bytes: Buffer
}

const SMALL_BYTES = 64 * 1024
const bomb = (message: string): Fault => ({ reason: 'bomb', message })

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04
}

function refuseEntry({ compressedSize, uncompressedSize }: Entry, total: number): Fault | null {
  if (uncompressedSize > RECEPTION.file_bytes)
    return { reason: 'too_large', message: 'A file in the zip is too large.' }
  if (total + uncompressedSize > RECEPTION.unzipped_bytes) return bomb('The zip unpacks to more than a mail may hold.')
  // A small file of blanks shrinks a lot and harms nobody.
  const squeezed = uncompressedSize > SMALL_BYTES && uncompressedSize > compressedSize * RECEPTION.zip_ratio
  return squeezed ? bomb('The zip is packed tighter than any XML is.') : null
}

/** Reads one entry and no more than it claims: yauzl ends a stream that turns out longer. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The files in a zip, in memory, within bounds. A zip inside it is a file like any other: nothing is opened twice. */
export async function unzip(bytes: Buffer, room: number): Promise<ZipMember[] | Fault> {
  let zip: ZipFile
  try {
    zip = await fromBufferPromise(bytes, { lazyEntries: true })
  } catch {
    return { reason: 'not_xml', message: 'The zip cannot be opened.' }
  }
  if (zip.entryCount > room) return bomb(`The zip holds ${zip.entryCount} files.`)
  const members: ZipMember[] = []
  let total = 0
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue
      const refused = refuseEntry(entry, total)
      if (refused) return refused
      total += entry.uncompressedSize
      members.push({ name: entry.fileName.split('/').at(-1) ?? '', bytes: await readEntry(zip, entry) })
    }
  } catch {
    return { reason: 'not_xml', message: 'The zip is damaged, encrypted, or lies about what it holds.' }
  }
  return members
}
