import { isUtf8 } from 'node:buffer'
import { XmlFault } from './fault.ts'
import type { XmlNode } from './node.ts'
import { Reader } from './reader.ts'

export interface ParsedXml {
  readonly root: XmlNode
  readonly source: string
  /** The bytes of an element as they came. */
  bytesOf(node: XmlNode): Uint8Array
}

const DECLARATION =
  /^<\?xml\s+version\s*=\s*(["'])1\.[0-9]+\1(?:\s+encoding\s*=\s*(["'])([A-Za-z][A-Za-z0-9._-]*)\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\4)?\s*\?>/
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows three control characters and no other
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

/** 0x80 to 0x9F in windows-1252, which some emitters declare and the SII takes. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const DECODERS: Readonly<Record<string, (body: Buffer) => string>> = {
  'ISO-8859-1': (body) => body.toString('latin1'),
  'WINDOWS-1252': (body) =>
    body.toString('latin1').replace(/[\x80-\x9f]/g, (code) => WINDOWS[code.charCodeAt(0) - 0x80] ?? code),
  'UTF-8': (body) => {
    if (!isUtf8(body)) throw new XmlFault('CHR-00001: the bytes are not UTF-8', '', 0)
    return body.toString('utf8')
  },
}

/**
 * Reads a file into a tree. A document type declaration is refused: no DTE has one. Written for the simulator, so that
 * what it takes for the signed content does not depend on the code of the one who signed it.
 */
export function parseXml(bytes: Uint8Array): ParsedXml {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const marked = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf
  const body = marked ? buffer.subarray(3) : buffer
  const head = DECLARATION.exec(body.toString('latin1', 0, 300))
  const declared = (head?.[3] ?? 'UTF-8').toUpperCase()
  const decode = DECODERS[declared]
  if (decode === undefined) throw new XmlFault(`CHR-00001: character set "${declared}" not supported`, '', 0)
  const source = decode(body)
  const bad = FORBIDDEN.exec(source)
  if (bad !== null) throw new XmlFault('LPX-00217: invalid character', source, bad.index)
  return {
    root: new Reader(source).document(head === null ? 0 : head[0].length),
    source,
    // But for UTF-8, a character is a byte.
    bytesOf: ({ start, end }) =>
      declared === 'UTF-8' ? Buffer.from(source.slice(start, end), 'utf8') : body.subarray(start, end),
  }
}
