import { XmlDocument as LibXmlDocument, ParseOption, XmlError, XmlLibError } from 'libxml2-wasm'
import { accept, type Outcome, refuse } from '../refusal.ts'
import { canonicalText } from './canonical.ts'
import { type DecodeRule, decodeXml, type Encoding } from './decode.ts'
import { readCanonical, type XmlElement } from './tree.ts'

export interface XmlDocument {
  readonly root: XmlElement
  /** The whole document in canonical form: elements point into it, signatures digest slices of it. */
  readonly canonical: string
  /** The text as received, once decoded. What must be pasted unchanged somewhere else is cut from here. */
  readonly source: string
  readonly declared_encoding: string | null
  readonly encoding: Encoding
  readonly suspect_encoding: boolean
}

export interface ParseLimits {
  readonly max_bytes?: number
  /** Tags and attributes together. */
  readonly max_nodes?: number
  /** What a file that declares no encoding is read as when it is not UTF-8. */
  readonly undeclared?: Encoding
}

export type ParseRule =
  | DecodeRule
  | 'too_large'
  | 'too_many_nodes'
  | 'dtd'
  | 'truncated'
  | 'not_well_formed'
  | 'unsupported_namespace'

/** An EnvioDTE holds up to 2,000 documents (EnvioDTE_v10.xsd), about 8 kB each, and an AEC a PDF of up to 3 MB. */
const MAX_BYTES = 24 * 1024 * 1024
const MAX_NODES = 1_200_000
const MAX_PREFIXES = 50
const MAX_PREFIX_LENGTH = 200

const OPTIONS =
  ParseOption.XML_PARSE_NO_XXE |
  ParseOption.XML_PARSE_NONET |
  ParseOption.XML_PARSE_SKIP_IDS |
  ParseOption.XML_PARSE_NO_SYS_CATALOG

/**
 * Parses a file from outside in bounded time and memory. libxml2 decides whether it is well formed; the tree is read
 * from its canonical form, so what is digested and what is read cannot differ. A document type declaration is refused
 * before the parser sees it: no DTE has one, and every entity attack needs one.
 */
export function parseXml(bytes: Uint8Array, limits: ParseLimits = {}): Outcome<XmlDocument, ParseRule> {
  const max_bytes = limits.max_bytes ?? MAX_BYTES
  if (bytes.length > max_bytes) return refuse('too_large', `The file has more than ${max_bytes} bytes.`)
  const max_nodes = limits.max_nodes ?? MAX_NODES
  // A node takes a byte at least, so a small file need not be counted.
  if (bytes.length > max_nodes && countNodes(bytes) > max_nodes)
    return refuse('too_many_nodes', `The file has more than ${max_nodes} nodes.`)

  const decoded = decodeXml(bytes, limits.undeclared)
  if (!decoded.ok) return decoded
  const { text, declared, encoding, suspect } = decoded.value
  if (text.includes('<!DOCTYPE') || text.includes('<!ENTITY')) {
    return refuse('dtd', 'The file has a document type declaration.')
  }
  if (hasManyPrefixes(text))
    return refuse('unsupported_namespace', `The file declares more than ${MAX_PREFIXES} prefixes.`)
  const canonical = canonicalize(text)
  if (!canonical.ok) return canonical
  return accept({
    root: readCanonical(canonical.value),
    canonical: canonical.value,
    source: text,
    declared_encoding: declared,
    encoding,
    suspect_encoding: suspect,
  })
}

/** A text that is already decoded, such as XML just written. */
export function parseXmlText(text: string, limits: ParseLimits = {}): Outcome<XmlDocument, ParseRule> {
  return parseXml(Buffer.from(text.replace(/^\s*<\?xml\s[^>]*\?>/, ''), 'utf8'), limits)
}

/** An upper bound that needs no parsing: `<` opens every tag and `=` follows every attribute's name. */
function countNodes(bytes: Uint8Array): number {
  let count = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === 0x3c || byte === 0x3d) count++
  }
  return count
}

/** What is in scope is looked at for every element, so it must be little. A DTE declares one prefix or two. */
function hasManyPrefixes(text: string): boolean {
  const prefixes = new Set<string>()
  for (let at = text.indexOf('xmlns:'); at !== -1; at = text.indexOf('xmlns:', at + 6)) {
    const equals = text.indexOf('=', at)
    if (equals - at > MAX_PREFIX_LENGTH) return true
    prefixes.add(text.slice(at + 6, equals))
    if (prefixes.size > MAX_PREFIXES) return true
  }
  return false
}

function canonicalize(text: string): Outcome<string, ParseRule> {
  let document: LibXmlDocument | undefined
  try {
    document = LibXmlDocument.fromBuffer(Buffer.from(text, 'utf8'), { encoding: 'UTF-8', option: OPTIONS })
    if (document.dtd !== null) return refuse('dtd', 'The file has a document type declaration.')
    return accept(canonicalText(text) ?? libxmlCanonical(document))
  } catch (failure) {
    return refuseFailure(failure)
  } finally {
    document?.dispose()
  }
}

function libxmlCanonical(document: LibXmlDocument): string {
  const chunks: Buffer[] = []
  document.canonicalize({
    // The chunk is a view of memory that libxml2 writes again, and may end inside a character: copy, then decode once.
    write: (chunk) => {
      chunks.push(Buffer.from(chunk))
      return chunk.byteLength
    },
    close: () => true,
  })
  return Buffer.concat(chunks).toString('utf8')
}

function refuseFailure(failure: unknown): Outcome<never, ParseRule> {
  if (failure instanceof XmlLibError) {
    const first = failure.details[0]
    const message = (first?.message ?? failure.message).trim()
    const path = first === undefined ? '' : `line ${first.line}, column ${first.col}`
    // Both texts are libxml2's own for a file that ends before its root element does.
    const truncated = /Premature end|EndTag: '<\/' not found/.test(message)
    return refuse(truncated ? 'truncated' : 'not_well_formed', message, path)
  }
  if (failure instanceof XmlError) return refuse('unsupported_namespace', failure.message)
  // The parser runs in WebAssembly: running out of its memory surfaces as a RuntimeError or RangeError.
  if (failure instanceof RangeError || (failure instanceof Error && failure.name === 'RuntimeError')) {
    return refuse('too_large', 'The file needs more memory than the parser has.')
  }
  throw failure
}
