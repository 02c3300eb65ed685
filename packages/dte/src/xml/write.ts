/**
 * Writes XML that already is its own canonical form (inclusive C14N 1.0, W3C REC-xml-c14n-20010315, section 2.3):
 * no empty-element tags, no declaration, only the escapes the canonical form keeps. What is written can therefore be
 * hashed and signed as it stands. An escape too many (`&apos;`, `&quot;` in text) is not a matter of taste: the SII
 * digests the canonical form and refuses the whole envelope with RFR when ours differs.
 */

const TEXT_SPECIAL = /[&<>\r]/
const TEXT_SPECIALS = /[&<>\r]/g
const ATTRIBUTE_SPECIAL = /[&<"\t\n\r]/
const ATTRIBUTE_SPECIALS = /[&<"\t\n\r]/g

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

const escapeCharacter = (character: string): string => ESCAPES[character] ?? character

/** Most texts of a document are short, and a loop is over before a regular expression begins. */
function hasSpecial(text: string): boolean {
  if (text.length > 32) return TEXT_SPECIAL.test(text)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x26 || code === 0x3c || code === 0x3e || code === 0x0d) return true
  }
  return false
}

/** Text of an element. Quotes and apostrophes stay as they are; a carriage return becomes a reference. */
export function escapeText(text: string): string {
  return hasSpecial(text) ? text.replace(TEXT_SPECIALS, escapeCharacter) : text
}

/** Value of an attribute, always between double quotes. */
export function escapeAttribute(text: string): string {
  return ATTRIBUTE_SPECIAL.test(text) ? text.replace(ATTRIBUTE_SPECIALS, escapeCharacter) : text
}

export type Attributes = Readonly<Record<string, string>>

/**
 * Attributes in the order given. The canonical order is namespace declarations first (the default one before the
 * prefixed), then attributes by name: the caller lists them so.
 */
export function attributes(values: Attributes): string {
  let written = ''
  for (const name in values) written += ` ${name}="${escapeAttribute(values[name] ?? '')}"`
  return written
}

/** An element that holds text. */
export function textElement(name: string, text: string | number): string {
  return `<${name}>${typeof text === 'number' ? text : escapeText(text)}</${name}>`
}

/** An element that holds XML already written; nothing inside it is escaped again. */
export function element(name: string, inner: string, values?: Attributes): string {
  return `<${name}${values === undefined ? '' : attributes(values)}>${inner}</${name}>`
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="ISO-8859-1"?>\n'

const OUTSIDE_LATIN1 = /[\u0100-\uffff]/

/**
 * The bytes of a file whose declaration says ISO-8859-1. A character outside it is a bug of the caller, who checks
 * every text first: writing `?` in its place would break the signature without a word.
 */
export function latin1Bytes(xml: string): Uint8Array {
  // V8 knows of a text that it holds in one byte a character that none of them can match: an envelope of megabytes is not walked.
  const index = xml.search(OUTSIDE_LATIN1)
  if (index !== -1) {
    throw new RangeError(`character ${index} (${JSON.stringify(xml.charAt(index))}) is not in ISO-8859-1`)
  }
  return Buffer.from(xml, 'latin1')
}
