import { randomBytes } from 'node:crypto'
import { ID_PREFIXES, type IdKind } from '../catalog/ids.ts'
import { systemNow } from './clock.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 48 bits of time as ten characters: ids made later sort later, which keeps indexes and lists in order. */
function timePart(ms: number): string {
  let out = ''
  for (let rest = ms, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) out = ALPHABET[rest % 32] + out
  return out
}

// Random bytes are drawn in blocks: one system call for 256 ids instead of one each.
let block = randomBytes(0)
let used = 0
let lastMs = 0
let lastTail = ''

function randomPart(): string {
  if (used + 16 > block.length) {
    block = randomBytes(4096)
    used = 0
  }
  let out = ''
  for (let i = 0; i < 16; i++) out += ALPHABET[(block[used++] as number) & 31]
  return out
}

/** The next tail in the same millisecond: ids of one process never go backwards. */
function successor(tail: string): string {
  const chars = tail.split('')
  for (let i = chars.length - 1; i >= 0; i--) {
    const next = ALPHABET.indexOf(chars[i] as string) + 1
    if (next < 32) {
      chars[i] = ALPHABET[next] as string
      return chars.join('')
    }
    chars[i] = '0'
  }
  return randomPart()
}

/** `doc_` + 26 characters: time first, then 80 bits of chance. Real time always, also under a test clock. */
export function newId(kind: IdKind): string {
  const ms = Math.max(systemNow(), lastMs)
  lastTail = ms === lastMs ? successor(lastTail) : randomPart()
  lastMs = ms
  return ID_PREFIXES[kind] + timePart(ms) + lastTail
}

/** The smallest id a given instant could have: bounds of partitions and of retention. */
export function idFloor(kind: IdKind, at: Date): string {
  return ID_PREFIXES[kind] + timePart(at.getTime()) + '0'.repeat(16)
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
