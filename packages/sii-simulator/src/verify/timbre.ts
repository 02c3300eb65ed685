import { createPublicKey, createVerify, type KeyObject } from 'node:crypto'
import { EXPIRING } from '../tipos.ts'
import { differs, finding } from './findings.ts'
import type { ReadDocument } from './read-document.ts'
import { packed } from './signature.ts'
import type { CafRange, Finding, VerifyView } from './verdict.ts'
import { find, number, text, textOf, type XmlNode } from './xml/node.ts'

/** A CAF as a timbre carries it. */
interface Caf extends CafRange {
  key: KeyObject | null
  /** Signed by the key of its IDK; null when that key is unknown. */
  genuine: boolean | null
}

const REMEMBERED = 1000
/** Far longer than a CAF is; what is longer is read, and not remembered. */
const LONGEST = 8_192

export type CheckTimbre = (document: ReadDocument, source: string, view: VerifyView) => readonly Finding[]

/** Opens the checks of CAF and timbre. A CAF is in every document of its range: the last ones are remembered. */
export function openTimbres(caf_keys: ReadonlyMap<string, KeyObject>): CheckTimbre {
  const known = new Map<string, Caf>()
  return (document, source, view) => {
    const dd = find(document.body, 'TED', 'DD') as XmlNode
    const node = find(dd, 'CAF') as XmlNode
    const written = flat(source, node)
    let caf = known.get(written)
    if (caf === undefined) {
      caf = readCaf(node, source, caf_keys)
      if (known.size >= REMEMBERED) known.clear()
      if (written.length <= LONGEST) known.set(written, caf)
    }
    const refused = checkCaf(caf, document, view)
    return refused.length > 0 ? refused : checkTed(dd, caf, document, source, view)
  }
}

/** As the SII reads it for a signature: no space between tags, one byte for each character. */
function flat(source: string, node: XmlNode): string {
  return source.slice(node.start, node.end).replace(/>\s+</g, '><')
}

function verifies(message: string, key: KeyObject, signature: string | null): boolean {
  const bytes = Buffer.from(packed(signature), 'base64')
  return createVerify('RSA-SHA1').update(message, 'latin1').verify(key, bytes)
}

function readCaf(node: XmlNode, source: string, caf_keys: ReadonlyMap<string, KeyObject>): Caf {
  const da = find(node, 'DA') as XmlNode
  const idk = text(da, 'IDK') as string
  const sii_key = caf_keys.get(idk)
  return {
    emisor: text(da, 'RE') as string,
    tipo: number(da, 'TD') as number,
    first: number(da, 'RNG', 'D') as number,
    last: number(da, 'RNG', 'H') as number,
    // A date of XML Schema may end with a time zone.
    date: (text(da, 'FA') as string).slice(0, 10),
    idk,
    key: publicKey(find(da, 'RSAPK')),
    genuine: sii_key === undefined ? null : verifies(flat(source, da), sii_key, text(node, 'FRMA')),
  }
}

function publicKey(pair: XmlNode | undefined): KeyObject | null {
  if (pair === undefined) return null
  const url = (name: string) => Buffer.from(packed(text(pair, name)), 'base64').toString('base64url')
  try {
    return createPublicKey({ format: 'jwk', key: { kty: 'RSA', n: url('M'), e: url('E') } })
  } catch {
    return null
  }
}

function checkCaf(caf: Caf, document: ReadDocument, view: VerifyView): Finding[] {
  const { tipo, folio, emisor, signed_on } = document
  // Expiry is the first thing the SII says of a CAF (PROTOCOLS, order of validation).
  if (EXPIRING.includes(tipo) && signed_on > sixMonthsAfter(caf.date))
    return [finding('CAF-3-517', `Firma DTE [${signed_on}] CAF [${caf.date}]`)]
  if (caf.genuine === null || (view.idk !== undefined && view.idk !== caf.idk))
    return [finding('CAF-3-516', `IDK [${caf.idk}]`)]
  if (!caf.genuine) return [finding('CAF-3-900')]
  if (caf.emisor !== emisor) return [finding('CAF-3-901', differs(caf.emisor, emisor))]
  if (caf.tipo !== tipo) return [finding('CAF-3-902', differs(caf.tipo, tipo))]
  if (folio < caf.first || folio > caf.last)
    return [finding('CAF-3-605', `Folio [${folio}] Rango [${caf.first}-${caf.last}]`)]
  if (view.hasGiven !== undefined && !view.hasGiven(caf))
    return [finding('CAF-3-903', `Rango [${caf.first}-${caf.last}]`)]
  return []
}

/** The same day six months later, or the last day of that month. */
function sixMonthsAfter(date: string): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + 6, 0)).getUTCDate()
  return new Date(Date.UTC(year, month + 5, Math.min(day, last))).toISOString().slice(0, 10)
}

function checkTed(dd: XmlNode, caf: Caf, document: ReadDocument, source: string, view: VerifyView): Finding[] {
  const signature = text(document.body, 'TED', 'FRMT')
  if (caf.key === null || !verifies(flat(source, dd), caf.key, signature)) return [finding('TED-3-510')]
  const faults = disagreements(dd, document).map((detail) => finding('TED-3-900', detail))
  if (faults.length > 0) return faults
  const stamped_on = (text(dd, 'TSTED') as string).slice(0, 10)
  if (stamped_on < caf.date || stamped_on > view.today) return [finding('TED-1-647', `[${stamped_on}]`)]
  return []
}

function disagreements(dd: XmlNode, document: ReadDocument): string[] {
  const { tipo, folio, emisor, receptor, fecha, header, lines } = document
  const pairs: readonly (readonly [string, string])[] = [
    ['RE', emisor],
    ['TD', String(tipo)],
    ['F', String(folio)],
    ['FE', fecha],
    ['RR', receptor],
    ['MNT', String(text(header, 'Totales', 'MntTotal'))],
  ]
  const faults: string[] = []
  for (const [name, expected] of pairs) {
    const found = text(dd, name) as string
    const equal =
      /^\d/.test(expected) && !expected.includes('-') ? Number(found) === Number(expected) : found === expected
    if (!equal) faults.push(`${name} ${differs(found, expected)}`)
  }
  const name = find(header, 'Receptor', 'RznSocRecep')
  const item = lines[0] === undefined ? undefined : find(lines[0], 'NmbItem')
  for (const [field, full] of [
    ['RSR', name],
    ['IT1', item],
  ] as const) {
    // Where there is no name, or no line, the emitter writes a text of its own.
    if (full === undefined || textOf(full).trim() === '') continue
    const found = textOf(find(dd, field) as XmlNode)
    if (!isBeginning(found, textOf(full))) faults.push(`${field} ${differs(found, textOf(full).slice(0, 40))}`)
  }
  return faults
}

/** The first 40 characters; writing plain letters for others inside the timbre is usual and accepted. */
function isBeginning(found: string, full: string): boolean {
  const expected = full.slice(0, 40).trimEnd()
  const written = found.trimEnd()
  if (written.length !== expected.length) return false
  for (let at = 0; at < expected.length; at++)
    if (written[at] !== expected[at] && expected.charCodeAt(at) < 0x80) return false
  return true
}
