import { randomBytes, randomFillSync } from 'node:crypto'
import { ID_PREFIXES, type IdKind } from '../catalog/ids.ts'
import { systemNow } from './clock.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A number as `length` characters of base 32. */
function base32(value: number, length: number): string {
  let out = ''
  for (let rest = value, i = 0; i < length; i++, rest = Math.floor(rest / 32)) out = ALPHABET[rest % 32] + out
  return out
}

const TIME_CHARS = 10
const CHANCE_CHARS = 11
const COUNT_CHARS = 5
const COUNTS = 32 ** COUNT_CHARS

/** A clock that was set back by more than this was wrong before: ids go back with it, or they would lie for as long. */
const SET_BACK_MS = 60_000

// Within a millisecond only the count moves, so ids of one process never go backwards; a new millisecond brings new
// chance, and a count that starts anywhere in the lower half has millions of steps to go.
let ms = 0
let head = ''
let count = 0

// Chance for many turns at a time, each byte of it used once: asking for a few costs as much as asking for thousands.
const TURN_BYTES = CHANCE_CHARS + 3
const chance = Buffer.alloc(256 * TURN_BYTES)
let used = chance.length

function turn(now: number): void {
  ms = now
  head = base32(ms, TIME_CHARS)
  if (used === chance.length) {
    randomFillSync(chance)
    used = 0
  }
  for (let i = 0; i < CHANCE_CHARS; i++) head += ALPHABET[(chance[used + i] as number) & 31]
  count = chance.readUIntBE(used + CHANCE_CHARS, 3)
  used += TURN_BYTES
}

/** `doc_` + 26 characters: time first, then chance and a count. Real time always, also under a test clock. */
export function newId(kind: IdKind): string {
  const now = systemNow()
  if (now < ms - SET_BACK_MS) turn(now)
  else if (now > ms || count + 1 >= COUNTS) turn(Math.max(now, ms + (now > ms ? 0 : 1)))
  return ID_PREFIXES[kind] + head + base32(count++, COUNT_CHARS)
}

/** The smallest id a given instant could have: bounds of partitions and of retention. */
export function idFloor(kind: IdKind, at: Date): string {
  return ID_PREFIXES[kind] + base32(at.getTime(), TIME_CHARS) + '0'.repeat(CHANCE_CHARS + COUNT_CHARS)
}

/** The instant at which an id was made; null of what is none. */
export function idInstant(id: string): Date | null {
  const digits = [...id.slice(id.indexOf('_') + 1).slice(0, TIME_CHARS)].map((char) => ALPHABET.indexOf(char))
  if (digits.length < TIME_CHARS || digits.includes(-1)) return null
  return new Date(digits.reduce((sum, digit) => sum * 32 + digit, 0))
}

const SHAPE = /^[0-9a-hjkmnp-tv-z]{26}$/

export function isId(kind: IdKind, value: string): boolean {
  const prefix = ID_PREFIXES[kind]
  return value.startsWith(prefix) && SHAPE.test(value.slice(prefix.length))
}

/** 43 characters of base 62 carry 256 bits: enough that a plain SHA-256 protects them at rest. */
export function randomSecret(): string {
  let out = ''
  while (out.length < 43) {
    // Bytes of 248 and more are dropped: 248 is a multiple of 62, so that every character is equally likely.
    for (const byte of randomBytes(64)) if (byte < 248 && out.length < 43) out += BASE62[byte % 62]
  }
  return out
}
