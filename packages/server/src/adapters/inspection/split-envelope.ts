import type { XmlDocument } from '@timbre/dte'

type Engine = typeof import('@timbre/dte')

const NAMESPACE = 'http://www.sii.cl/SiiDte'
const UTF8_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** A text as a file that says how it is written: in the alphabet of the SII where it fits, otherwise in UTF-8. */
function asFile({ XML_DECLARATION }: Engine, text: string): Buffer {
  return [...text].every((character) => character.charCodeAt(0) <= 0xff)
    ? Buffer.from(XML_DECLARATION + text, 'latin1')
    : Buffer.from(UTF8_DECLARATION + text, 'utf8')
}

function isTrue(engine: Engine, file: Buffer): boolean {
  const parsed = engine.parseXml(file)
  return parsed.ok && engine.firstRefusal(engine.verifySignatures(parsed.value)) === null
}

/**
 * The first spelling of a document by itself whose signature is still true. It gains the namespace that the envelope
 * declared for it; where none did, as in what the free portal of the SII gives out, it stays as it came.
 */
function alone(engine: Engine, text: string, inherited: boolean): Buffer | null {
  const open = text.indexOf('>')
  const declares = text.slice(0, open).includes('xmlns=')
  const gained = text.replace(/^<DTE/, `<DTE xmlns="${NAMESPACE}"`)
  const spellings = declares ? [text] : inherited ? [gained, text] : [text, gained]
  return spellings.map((spelling) => asFile(engine, spelling)).find((file) => isTrue(engine, file)) ?? null
}

/**
 * Gives each document of a file by itself, character by character as it was signed. One that cannot stand alone is
 * kept as the whole file it came in.
 */
export function documentSplitter(
  engine: Engine,
  document: XmlDocument,
  bytes: Uint8Array,
  count: number,
): (index: number) => Buffer {
  const whole = Buffer.from(bytes)
  const texts = document.root.name === 'DTE' ? [] : engine.rawElements(document.source, 'DTE')
  const inherited = document.root.namespaces[''] === NAMESPACE
  return (index) => {
    const text = texts.length === count ? texts[index] : undefined
    return (text && alone(engine, text, inherited)) || whole
  }
}
