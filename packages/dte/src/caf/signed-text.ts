import { createHash, type KeyObject } from 'node:crypto'
import { signedSha1 } from '../signature/rsa-sha1.ts'
import { writeWindows } from '../xml/decode.ts'
import { parseXmlText, type XmlDocument } from '../xml/parse.ts'
import { rawElements } from '../xml/raw.ts'
import { repairText } from '../xml/repair.ts'
import { walk, type XmlElement } from '../xml/tree.ts'
import { flatten } from './caf.ts'

/**
 * Whether a part of a timbre (`DD`, or the `DA` of its CAF) is what a signature covers. It covers the bytes that its
 * maker wrote, flattened (SII, Formato DTE v2.4.2, Timbre), and those are in the source: the canonical form no longer
 * tells `&#39;` from `'` or `&#241;` from `ñ`. Where a program on the way wrote the file anew, the spellings that
 * emitters are known to use are tried. Each text tried says what `element` says and nothing else, so what is compared
 * with the document is what was signed.
 */
export function isSignedText(
  document: XmlDocument,
  element: XmlElement,
  by: { readonly raw: string | undefined; readonly signature: string | undefined; readonly key: KeyObject },
): boolean {
  const digest = signedSha1(by.key, Buffer.from(by.signature ?? '', 'base64'))
  if (digest === null) return false
  const matches = (text: string) =>
    bytesOf(document, text).some((bytes) => createHash('sha1').update(bytes).digest().equals(digest))
  const [first] = element.children
  if (first === undefined) return false
  const canonical = `<${element.name}>${document.canonical.slice(first.start, element.end)}`
  const written = asWritten(element.name, by.raw, canonical)
  if (written !== undefined && [flatten(written), written].some(matches)) return true
  return spellings(flatten(canonical)).some(matches)
}

const timbres = new WeakMap<XmlDocument, ReadonlyMap<XmlElement, string>>()

/** A `TED` as it stands in the source. */
export function rawTimbre(document: XmlDocument, ted: XmlElement): string | undefined {
  let known = timbres.get(document)
  if (known === undefined) {
    const [elements, texts] = [[...walk(document.root)].filter(isTed), rawElements(document.source, ted.name)]
    known = new Map(elements.length === texts.length ? elements.map((one, nth) => [one, texts[nth] ?? '']) : [])
    timbres.set(document, known)
  }
  return known.get(ted)
}

const isTed = ({ name, prefix }: XmlElement): boolean => name === 'TED' && prefix === ''

/** The part as it was written, proven to be the element that was read: a text in a comment must not stand for it. */
function asWritten(name: string, raw: string | undefined, canonical: string): string | undefined {
  const [written] = raw === undefined ? [] : rawElements(raw, name)
  if (written === undefined) return undefined
  const again = parseXmlText(written)
  return again.ok && flatten(again.value.canonical) === flatten(canonical) ? written : undefined
}

/** The bytes that a text may have been signed in: those of the SII's alphabet, or those of the file it stands in. */
function bytesOf({ encoding, suspect_encoding }: XmlDocument, text: string): readonly Buffer[] {
  const latin1 = latin1Of(text)
  const found = [latin1]
  if (encoding === 'windows-1252') found.push(writeWindows(text))
  if (suspect_encoding) found.push(latin1Of(repairText(text, true)))
  if (encoding === 'UTF-8' && latin1?.length !== Buffer.byteLength(text)) found.push(Buffer.from(text, 'utf8'))
  return found.filter((bytes) => bytes !== null)
}

/** Null for a letter outside ISO-8859-1: cut to a byte, it would pass for another. */
function latin1Of(text: string): Buffer | null {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0xff) return null
  return Buffer.from(text, 'latin1')
}

type Spelling = (character: string) => string

const asIs: Spelling = (character) => character
const hex = (character: string) => character.charCodeAt(0).toString(16)
/** Of a letter outside ASCII, by the programs that write it as a reference. */
const LETTERS: readonly Spelling[] = [
  asIs,
  (letter) => `&#${letter.charCodeAt(0)};`,
  (letter) => `&#x${hex(letter)};`,
  (letter) => `&#x${hex(letter).toUpperCase()};`,
]

/** What the canonical form writes in one way and emitters in several. */
const VARIANTS: readonly { readonly found: RegExp; readonly as: readonly Spelling[] }[] = [
  { found: /&gt;/g, as: [asIs, () => '>'] },
  { found: /'/g, as: [asIs, ...['&apos;', '&#39;', '&#x27;', '&#039;'].map((to) => () => to)] },
  { found: /"/g, as: [asIs, ...['&quot;', '&#34;', '&#x22;', '&#034;'].map((to) => () => to)] },
  { found: /[\x80-\uffff]/g, as: LETTERS },
]

/**
 * A canonical text in every spelling, its tags as they are: a few, for few characters can be spelt in two ways. An
 * emitter writes the texts of the stamp, and most paste its CAF as the SII wrote it.
 */
function spellings(flat: string): readonly string[] {
  const all = spelt(flat)
  const caf = cafIn(flat)
  if (caf === undefined || all.length === 1) return all
  return [...all, ...spelt(flat.replace(caf, () => '<CAF/>')).map((text) => text.replace('<CAF/>', () => caf))]
}

function cafIn(flat: string): string | undefined {
  const [start, end] = [flat.indexOf('<CAF'), flat.lastIndexOf('</CAF>')]
  return start === -1 || end < start ? undefined : flat.slice(start, end + '</CAF>'.length)
}

function spelt(flat: string): readonly string[] {
  return VARIANTS.reduce<readonly string[]>(
    (texts, { found, as }) => texts.flatMap((text) => [...new Set(as.map((spell) => inText(text, found, spell)))]),
    [flat],
  )
}

function inText(flat: string, found: RegExp, spell: Spelling): string {
  const [before = '', ...tags] = flat.split('<')
  const written = tags.map((tag) => {
    const text = tag.indexOf('>') + 1
    return tag.slice(0, text) + tag.slice(text).replace(found, spell)
  })
  return [before, ...written].join('<')
}
