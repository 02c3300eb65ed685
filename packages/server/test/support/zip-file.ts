// ZIP files, lying ones too.

import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipMember {
  readonly name: string
  readonly bytes: Buffer
  /** What the headers claim, where they lie. */
  readonly claimed_size?: number
  readonly claimed_crc?: number
  readonly stored?: boolean
  /** Defaults to 2026-08-23 10:30:00. */
  readonly at?: Date
}

function stamp(at: Date): number {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return date * 65_536 + time
}

function common(member: ZipMember, packed: Buffer): Buffer {
  const head = Buffer.alloc(26)
  head.writeUInt16LE(20, 0)
  head.writeUInt16LE(member.stored ? 0 : 8, 4)
  head.writeUInt32LE(stamp(member.at ?? new Date('2026-08-23T10:30:00Z')), 6)
  head.writeUInt32LE(member.claimed_crc ?? crc32(member.bytes), 10)
  head.writeUInt32LE(packed.length, 14)
  head.writeUInt32LE(member.claimed_size ?? member.bytes.length, 18)
  head.writeUInt16LE(Buffer.byteLength(member.name), 22)
  return head
}

/** A .zip file as any packer writes it, and a few that none would. */
export function zipOf(members: readonly ZipMember[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const member of members) {
    const packed = member.stored ? member.bytes : deflateRawSync(member.bytes)
    const name = Buffer.from(member.name)
    const head = common(member, packed)
    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, name, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), head, tail, name]))
    files.push(file)
    offset += file.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, listing, end])
}
