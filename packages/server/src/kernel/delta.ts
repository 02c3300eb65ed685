import { endianness } from 'node:os'
import { MOST_BYTES, putBytes } from './delta-read.ts'

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
/**
 * After so many new bytes, as a power of two, every second is looked at, after twice as many every third: a name or a signature is like
 * nothing, and one that was said before begins where it began then, behind its tag.
 */
const STRIDE_BITS = 2
const LONGEST_STRIDE = 8

/** Places that are looked up: with two bytes for each, a base and what is known of it stay near the processor while others have their turn. */
const MOST_PLACES = 0x7fff

/** A base with the places where each four bytes of it begin. */
export interface Base {
  readonly bytes: Uint8Array
  /** The same four at a time, from its first byte, its second, its third and its fourth on: a text is compared with it wherever it stands. */
  readonly words: readonly Int32Array[]
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
  return { bytes, words: [0, 1, 2, 3].map((from) => wordsOf(bytes.subarray(from))), last, before }
}

/** A copy, for an array of words begins only where a word may. */
function wordsOf(bytes: Uint8Array): Int32Array {
  const words = new Int32Array(bytes.length >> 2)
  new Uint8Array(words.buffer).set(bytes.subarray(0, words.length << 2))
  return words
}

/** A text whose difference is looked for, byte by byte and four at a time. */
interface Text {
  readonly bytes: Uint8Array
  readonly words: Int32Array
}

function textOf(given: Uint8Array): Text {
  // What was cut out of other bytes may begin anywhere.
  const bytes = given.byteOffset % 4 === 0 ? given : new Uint8Array(given)
  return { bytes, words: new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) }
}

const LOWEST_FIRST = endianness() === 'LE'

/** How many bytes of two words are the same before the first that is not. */
function sameBytes(differ: number): number {
  return (LOWEST_FIRST ? 31 - Math.clz32(differ & -differ) : Math.clz32(differ)) >> 3
}

/**
 * How many bytes of a text from `i` on are those of the base from `j` on. Byte by byte it takes 2.6 ns for each, and most of a text is
 * in its base; four at a time it takes 0.6.
 */
function alikeInBase({ bytes: base, words }: Base, j: number, { bytes, words: own }: Text, i: number): number {
  const end = i + Math.min(bytes.length - i, base.length - j)
  let p = i
  for (; p < end && (p & 3) !== 0; p++) if (base[j + p - i] !== bytes[p]) return p - i
  const from = j + p - i
  const shifted = words[from & 3] as Int32Array
  const last = end >> 2
  for (let word = p >> 2, other = from >> 2; word < last; word++, other++) {
    const differ = (own[word] as number) ^ (shifted[other] as number)
    if (differ !== 0) return (word << 2) + sameBytes(differ) - i
  }
  p = Math.max(p, last << 2)
  while (p < end && base[j + p - i] === bytes[p]) p++
  return p - i
}

/** How many bytes from `i` on are those from `j` on, of so many at most. */
function alike(bytes: Uint8Array, i: number, j: number, most: number): number {
  let count = 0
  while (count < most && bytes[i + count] === bytes[j + count]) count++
  return count
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

const zigzag = (value: number) => (value << 1) ^ (value >> 31)

export function encodeDelta(whole: Base, given: Uint8Array): Buffer {
  const { bytes: base, last, before } = whole
  const text = textOf(given)
  const { bytes } = text
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
    let length = alikeInBase(whole, ended, text, at)
    let place = ended
    let own = -1
    if (length < CERTAIN) {
      const hash = hashAt(bytes, at)
      let next = last[hash] as number
      for (let tried = 0; next >= 0 && tried < MOST_TRIED && length < CERTAIN; tried++) {
        // One that differs where it would be longer than the longest so far is not looked at byte by byte.
        const found =
          next + length < base_size && at + length < size && base[next + length] === bytes[at + length]
            ? alikeInBase(whole, next, text, at)
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
        const most = Math.min(at - earlier, size - at)
        const found = alike(bytes, earlier, at, most)
        // What goes on otherwise there, and soon, is remembered where it goes on as here: a run of letters would be copied by fives for ever.
        if (found < most && found < CERTAIN) seen[hash >>> (HASH_BITS - SEEN_BITS)] = begins + at
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
    const same = own < 0 ? base : bytes
    let from = own < 0 ? place : own
    // What is copied from the text itself was written before: it ends where the copy begins, at the latest.
    const least = own < 0 ? fresh : Math.max(fresh, own + length)
    for (; at > least && from > 0 && same[from - 1] === bytes[at - 1]; at--, from--) length++
    if (own < 0) place = from
    else own = from
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
