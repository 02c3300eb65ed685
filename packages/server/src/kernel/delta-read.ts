import { scratch } from './scratch.ts'

// Reads what kernel/delta.ts wrote. It may come from a damaged row: whatever it says is compared with what there is.

/** Nothing that is stored so is longer: a damaged length must not take the memory of the process. */
export const MOST_BYTES = 1 << 26

/** How many bytes are left free before and after what is decoded, for whoever puts it between others. */
export interface DeltaRoom {
  readonly before: number
  readonly after: number
}

const NO_ROOM: DeltaRoom = { before: 0, after: 0 }

/** Whether a delta gives these bytes: read as it is read for good, and kept nowhere. */
export function givesBack(base: Uint8Array, delta: Uint8Array, bytes: Uint8Array): boolean {
  return decodeDelta(base, delta, NO_ROOM, scratch).equals(bytes)
}

const unzigzag = (value: number) => (value >>> 1) ^ -(value & 1)

export function putBytes(out: Uint8Array, at: number, from: Uint8Array, start: number, count: number): number {
  for (let i = 0; i < count; i++) out[at + i] = from[start + i] as number
  return at + count
}

/** Where what was read last ends: a closure that advanced a place of its own took half as long again. */
let behind = 0

/** The number that begins at `at`. */
function numberAt(bytes: Uint8Array, at: number): number {
  let value = 0
  let end = at
  for (let shift = 0; shift <= 28; shift += 7) {
    const byte = bytes[end++] as number
    value |= (byte & 127) << shift
    if (byte < 128) {
      behind = end
      return value
    }
  }
  throw new Error('a delta is cut')
}

/** What is cut out of an array of bytes costs an object; it pays for a certificate and not for a tag. */
const LONG_COPY = 100

function putCopy(out: Uint8Array, at: number, from: Uint8Array, start: number, count: number): number {
  if (count < LONG_COPY) return putBytes(out, at, from, start, count)
  out.set(from.subarray(start, start + count), at)
  return at + count
}

/** What was cut, or belongs to a base of another length, is an error. */
export function decodeDelta(
  base: Uint8Array,
  delta: Uint8Array,
  room = NO_ROOM,
  make: (size: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  if (numberAt(delta, 0) !== base.length) throw new Error('a delta is of another base')
  const size = numberAt(delta, behind)
  if (size < 0 || size > MOST_BYTES) throw new Error('a delta is too long')
  let read = behind
  const start = room.before
  const end = start + size
  const bytes = make(end + room.after)
  let at = start
  let ended = 0
  for (;;) {
    const fresh = numberAt(delta, read)
    read = behind
    if (fresh < 0 || read + fresh > delta.length || at + fresh > end) throw new Error('a delta is cut')
    at = putBytes(bytes, at, delta, read, fresh)
    read += fresh
    if (at === end) break
    const copied = numberAt(delta, read)
    const count = copied >>> 1
    const where = (copied & 1) === 0 ? 0 : numberAt(delta, behind)
    read = behind
    const is_own = (where & 1) === 1
    const place = is_own ? at - (where >>> 1) : ended + unzigzag(where >>> 1)
    if (place < (is_own ? start : 0) || place + count > (is_own ? at : base.length) || at + count > end)
      throw new Error('a delta leaves its base')
    at = putCopy(bytes, at, is_own ? bytes : base, place, count)
    if (!is_own) ended = place + count
  }
  if (read !== delta.length) throw new Error('a delta goes on behind its end')
  return bytes
}
