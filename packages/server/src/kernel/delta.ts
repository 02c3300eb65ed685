import { scratch } from './scratch.ts'

// Bytes written as their difference from a base that both sides know: what repeats is a copy, what is new stands as it is.
// Compared with zlib and the same text as its dictionary, over signed XMLs and events: as small for an event, a fifth larger
// for an XML, at a third of the processor time, for zlib makes its tables anew each time while a base is indexed once.
//
//   length of the base, length, then pairs of: count of new bytes, the bytes; count of copied bytes, place of the first
//
// Numbers are varints. The lowest bit of the second count says whether a place follows: most copies go on behind a changed value,
// where the last copy of the base ended. The lowest bit of a place says from where it is counted: from there, or, in what was
// written already, back from here.

const HASH_BITS = 12
/** Of a text itself less is remembered. */
const SEEN_BITS = 11
const LEAST_COPY = 5
/** Places of the base that are tried where several begin alike. */
const MOST_TRIED = 8
/** A copy so long is taken without looking for a longer one. */
const CERTAIN = 24
/** After so many new bytes, as a power of two, every second is looked at, after twice as many every third: a signature is like nothing. */
const STRIDE_BITS = 5
const LONGEST_STRIDE = 8
/** Nothing that is stored so is longer: a damaged length must not take the memory of the process. */
const MOST_BYTES = 1 << 26

/** Places that are looked up: with two bytes for each, a base and what is known of it stay near the processor while others have their turn. */
const MOST_PLACES = 0x7fff

/** A base with the places where each four bytes of it begin. */
export interface Base {
  readonly bytes: Uint8Array
  /** The last place of a hash, and the one before each place; -1 ends the chain. */
  readonly last: Int16Array
  readonly before: Int16Array
}

function hashAt(bytes: Uint8Array, at: number): number {
  const four =
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  return Math.imul(four, 0x9e3779b1) >>> (32 - HASH_BITS)
}

export function indexBase(bytes: Uint8Array): Base {
  const places = Math.min(bytes.length, MOST_PLACES)
  const last = new Int16Array(1 << HASH_BITS).fill(-1)
  const before = new Int16Array(places).fill(-1)
  for (let at = 0; at + 4 <= places; at++) {
    const hash = hashAt(bytes, at)
    before[at] = last[hash] as number
    last[hash] = at
  }
  return { bytes, last, before }
}

/** How many bytes of `a` from `i` on are those of `b` from `j` on, of so many at most. */
function alike(a: Uint8Array, i: number, b: Uint8Array, j: number, most: number): number {
  const end = Math.min(i + most, a.length)
  let p = i
  let q = j
  while (p < end && a[p] === b[q]) {
    p++
    q++
  }
  return p - i
}

// Made once for all calls, which never overlap: room to write in, and where four bytes of a text were new. Each place is counted from where
// the texts before it ended, so that nothing has to be cleared.
let room = new Uint8Array(1 << 14)
const seen = new Int32Array(1 << SEEN_BITS).fill(-1)
let texts_end = 0

/** From which a text counts its places. */
function beginText(size: number): number {
  if (texts_end + size > MOST_BYTES) {
    seen.fill(-1)
    texts_end = 0
  }
  const begins = texts_end
  texts_end += size
  return begins
}

/** These write at a place and give the one behind. */
function putNumber(out: Uint8Array, at: number, value: number): number {
  let end = at
  let rest = value
  for (; rest > 127; rest >>>= 7) out[end++] = (rest & 127) | 128
  out[end++] = rest
  return end
}

function putBytes(out: Uint8Array, at: number, from: Uint8Array, start: number, count: number): number {
  for (let i = 0; i < count; i++) out[at + i] = from[start + i] as number
  return at + count
}

const zigzag = (value: number) => (value << 1) ^ (value >> 31)
const unzigzag = (value: number) => (value >>> 1) ^ -(value & 1)

export function encodeDelta({ bytes: base, last, before }: Base, bytes: Uint8Array): Buffer {
  const size = bytes.length
  const base_size = base.length
  // A copy writes three numbers for at least five bytes: at worst more than the bytes, and never three times as much.
  if (room.length < 3 * size + 64) room = new Uint8Array(3 * size + 64)
  const out = room
  const begins = beginText(size)
  let end = putNumber(out, putNumber(out, 0, base.length), size)
  let at = 0
  let fresh = 0
  /** Where the last copy of the base ended. */
  let ended = 0
  while (at + 4 <= size) {
    let length = alike(base, ended, bytes, at, size - at)
    let place = ended
    let own = -1
    if (length < CERTAIN) {
      const hash = hashAt(bytes, at)
      let next = last[hash] as number
      for (let tried = 0; next >= 0 && tried < MOST_TRIED && length < CERTAIN; tried++) {
        // One that differs where it would be longer than the longest so far is not looked at byte by byte.
        const found =
          next + length < base_size && at + length < size && base[next + length] === bytes[at + length]
            ? alike(base, next, bytes, at, size - at)
            : 0
        if (found > length) {
          length = found
          place = next
        }
        next = before[next] as number
      }
      const earlier = (seen[hash >>> (HASH_BITS - SEEN_BITS)] as number) - begins
      if (earlier >= 0) {
        // Not beyond itself: in a long run of one letter everything behind would be compared at every byte.
        const found = alike(bytes, earlier, bytes, at, Math.min(at - earlier, size - at))
        if (found > length) {
          length = found
          own = earlier
        }
      }
      if (length < LEAST_COPY) {
        seen[hash >>> (HASH_BITS - SEEN_BITS)] = begins + at
        at += Math.min(1 + ((at - fresh) >> STRIDE_BITS), LONGEST_STRIDE)
        continue
      }
    }
    // What a stride passed over.
    if (own < 0) {
      while (at > fresh && place > 0 && base[place - 1] === bytes[at - 1]) {
        at--
        place--
        length++
      }
    }
    end = putNumber(out, end, at - fresh)
    end = putBytes(out, end, bytes, fresh, at - fresh)
    const goes_on = own < 0 && place === ended
    end = putNumber(out, end, (length << 1) | (goes_on ? 0 : 1))
    if (!goes_on) end = putNumber(out, end, own < 0 ? zigzag(place - ended) << 1 : ((at - own) << 1) | 1)
    at += length
    fresh = at
    if (own < 0) ended = place + length
  }
  end = putNumber(out, end, size - fresh)
  end = putBytes(out, end, bytes, fresh, size - fresh)
  return Buffer.from(out.subarray(0, end))
}

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

/** What was cut, or belongs to a base of another length, is an error. */
export function decodeDelta(
  base: Uint8Array,
  delta: Uint8Array,
  room = NO_ROOM,
  make: (size: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  let read = 0
  let shift = 0
  /** The number that begins at `read`. */
  const number = () => {
    let value = 0
    for (shift = 0; shift <= 28; shift += 7) {
      const byte = delta[read++] as number
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
    throw new Error('a delta is cut')
  }
  if (number() !== base.length) throw new Error('a delta is of another base')
  const size = number()
  if (size > MOST_BYTES) throw new Error('a delta is too long')
  const start = room.before
  const end = start + size
  const bytes = make(end + room.after)
  let at = start
  let ended = 0
  for (;;) {
    const fresh = number()
    if (read + fresh > delta.length || at + fresh > end) throw new Error('a delta is cut')
    at = putBytes(bytes, at, delta, read, fresh)
    read += fresh
    if (at === end) break
    const copied = number()
    const count = copied >>> 1
    const where = (copied & 1) === 0 ? 0 : number()
    const is_own = (where & 1) === 1
    const place = is_own ? at - (where >>> 1) : ended + unzigzag(where >>> 1)
    if (place < (is_own ? start : 0) || place + count > (is_own ? at : base.length) || at + count > end)
      throw new Error('a delta leaves its base')
    at = putBytes(bytes, at, is_own ? bytes : base, place, count)
    if (!is_own) ended = place + count
  }
  if (read !== delta.length) throw new Error('a delta goes on behind its end')
  return bytes
}
