import { isAscii, isUtf8 } from 'node:buffer'
import { accept, type Outcome, refuse } from '../refusal.ts'

export type Encoding = 'UTF-8' | 'ISO-8859-1' | 'windows-1252'

export interface Decoded {
  readonly text: string
  /** What the XML declaration says, as written; null when it says nothing. */
  readonly declared: string | null
  /** What the bytes were read as. */
  readonly encoding: Encoding
  /** The declaration says one byte per character, but the bytes are well-formed UTF-8: a file saved twice. */
  readonly suspect: boolean
}

export type DecodeRule = 'empty' | 'unsupported_encoding' | 'wrong_encoding'

const BY_NAME: Readonly<Record<string, Encoding>> = {
  'UTF-8': 'UTF-8',
  UTF8: 'UTF-8',
  'US-ASCII': 'UTF-8',
  ASCII: 'UTF-8',
  'ISO-8859-1': 'ISO-8859-1',
  'ISO8859-1': 'ISO-8859-1',
  'ISO_8859-1': 'ISO-8859-1',
  LATIN1: 'ISO-8859-1',
  'LATIN-1': 'ISO-8859-1',
  'WINDOWS-1252': 'windows-1252',
  CP1252: 'windows-1252',
}

const DECLARATION = /^<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]{0,39})["']/
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d])

/** 0x80 to 0x9F, where windows-1252 differs from ISO-8859-1. Some Node 20 read it as ISO-8859-1, so it is done here. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const C1 = /[\x80-\x9f]/g

/**
 * Bytes to text by what the file declares. `undeclared` is what a file without a declared encoding is read as when it
 * is not UTF-8: a CAF comes from the SII in ISO-8859-1 and does not say so.
 */
export function decodeXml(bytes: Uint8Array, undeclared?: Encoding): Outcome<Decoded, DecodeRule> {
  const trimmed = withoutPreamble(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (trimmed.length === 0) return refuse('empty', 'The file is empty.')
  if (trimmed[0] === 0xfe || trimmed[0] === 0xff || trimmed[0] === 0 || trimmed[1] === 0) {
    return refuse('unsupported_encoding', 'The file is in UTF-16 or is not text.')
  }

  const declared = DECLARATION.exec(trimmed.toString('latin1', 0, 256))?.[1] ?? null
  const named = declared === null ? 'UTF-8' : BY_NAME[declared.toUpperCase()]
  if (named === undefined) return refuse('unsupported_encoding', `The file declares the encoding ${declared}.`)
  if (isAscii(trimmed)) return accept({ text: trimmed.toString('latin1'), declared, encoding: named, suspect: false })

  const utf8 = isUtf8(trimmed)
  if (named === 'UTF-8') {
    if (utf8) return accept({ text: trimmed.toString('utf8'), declared, encoding: named, suspect: false })
    if (declared === null && undeclared !== undefined) {
      return accept({ text: readOneByte(trimmed, undeclared), declared, encoding: undeclared, suspect: false })
    }
    return refuse('wrong_encoding', 'The bytes are not UTF-8, which is what the file declares or implies.')
  }
  return accept({ text: readOneByte(trimmed, named), declared, encoding: named, suspect: utf8 })
}

function readOneByte(bytes: Buffer, encoding: Encoding): string {
  const text = bytes.toString('latin1')
  return encoding === 'windows-1252' ? readWindows(text) : text
}

/** A text read as ISO-8859-1, as Windows meant it: its quotes and dashes lie where ISO-8859-1 keeps control codes. */
export function readWindows(text: string): string {
  return text.replace(C1, (character) => WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80))
}

/** The bytes of a text in the alphabet of Windows, or null when it has a letter outside it. */
export function writeWindows(text: string): Buffer | null {
  const bytes = Buffer.alloc(text.length)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const place = code > 0xff ? WINDOWS_1252.indexOf(text.charAt(index)) : code - 0x80
    if (code > 0xff && place === -1) return null
    bytes[index] = code > 0xff ? place + 0x80 : code
  }
  return bytes
}

/** Mail programs leave blank lines and byte order marks before the declaration; none of it is signed. */
function withoutPreamble(bytes: Buffer): Buffer {
  let start = 0
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3
  while (start < bytes.length && SPACES.has(bytes[start] ?? 0)) start++
  return bytes.subarray(start)
}
