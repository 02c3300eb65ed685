import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { isSignedBy, normalNumber, rsaNumbers } from '../certificate/x509.ts'
import { addMonths, isCivilDate } from '../dates.ts'
import { isTipoDte, type TipoDte, tipo } from '../document/tipos.ts'
import { accept, type Outcome, type Refusal, refuse } from '../refusal.ts'
import { canonicalRut } from '../rut.ts'
import { isUnissuedTipo, type UnissuedTipo, unissuedTipo } from '../unissued/tipos.ts'
import { type ParseRule, parseXml, parseXmlText, type XmlDocument } from '../xml/parse.ts'
import { at, textAt, type XmlElement } from '../xml/tree.ts'
import { SII_KEYS, type SiiKeys } from './sii-keys.ts'

/** A range of folios that the SII authorised, with the key that stamps them. */
export interface Caf<T extends number = TipoDte> {
  readonly emisor_rut: string
  readonly emisor_name: string
  readonly tipo_dte: T
  readonly first_folio: number
  readonly last_folio: number
  readonly authorised_on: string
  /** Last day it may be used, or null for the tipos whose folios do not lapse. */
  readonly expires_on: string | null
  /** IDK: 100 certification, 300 production. */
  readonly key_id: number
  /** The `CAF` element as the SII signed it, without blanks between tags: it goes into every stamp. */
  readonly xml: string
  /** The same in canonical form; they differ when the SII wrote a reference that the canonical form does not keep. */
  readonly canonical: string
  readonly key: KeyObject
}

export type CafRule =
  | ParseRule
  | 'not_a_caf'
  | 'missing_field'
  | 'bad_field'
  | 'unknown_tipo'
  | 'bad_range'
  | 'bad_private_key'
  | 'key_mismatch'
  | 'unknown_sii_key'
  | 'bad_sii_signature'

type Fields<T extends number> = Omit<Caf<T>, 'key' | 'xml' | 'canonical'> & {
  readonly modulus: string
  readonly exponent: string
}

const MAX_CAF_BYTES = 64 * 1024
const MAX_FOLIO = 9_999_999_999

/**
 * Reads the file of the SII and proves it whole: the SII signed it, and the private key is the one it authorises.
 * `sii_keys` is for stand-ins that issue folios of their own.
 */
export function readCaf(bytes: Uint8Array, sii_keys: SiiKeys = SII_KEYS): Outcome<Caf, CafRule> {
  return readCafOf(isTipoDte, bytes, sii_keys)
}

/** The same for a tipo that the service does not issue. */
export function readUnissuedCaf(bytes: Uint8Array, sii_keys: SiiKeys = SII_KEYS): Outcome<Caf<UnissuedTipo>, CafRule> {
  return readCafOf(isUnissuedTipo, bytes, sii_keys)
}

function readCafOf<T extends number>(
  isTipo: (value: unknown) => value is T,
  bytes: Uint8Array,
  sii_keys: SiiKeys,
): Outcome<Caf<T>, CafRule> {
  const parsed = parseXml(bytes, { max_bytes: MAX_CAF_BYTES, undeclared: 'ISO-8859-1' })
  if (!parsed.ok) return parsed
  const caf = at(parsed.value.root, 'CAF')
  if (parsed.value.root.name !== 'AUTORIZACION' || caf === undefined) {
    return refuse('not_a_caf', 'The root is not AUTORIZACION with a CAF inside.')
  }
  const fields = readFields(caf, isTipo)
  if (!fields.ok) return fields
  const canonical = flatten(parsed.value.canonical.slice(caf.start, caf.end))
  const xml = asWritten(parsed.value, canonical)
  const unsigned = refuseUnsigned(xml, caf, fields.value.key_id, sii_keys)
  if (unsigned !== null) return { ok: false, refusal: unsigned }
  const key = readPrivateKey(textAt(parsed.value.root, 'RSASK') ?? '')
  if (key === undefined) return refuse('bad_private_key', 'RSASK is not an RSA private key.', 'RSASK')
  const { modulus, exponent, ...rest } = fields.value
  const numbers = rsaNumbers(createPublicKey(key))
  if (numbers?.modulus !== modulus || numbers.exponent !== exponent) {
    return refuse('key_mismatch', 'The private key is not the one that the CAF authorises.', 'RSASK')
  }
  return accept({ ...rest, xml, canonical, key })
}

function readFields<T extends number>(
  caf: XmlElement,
  isTipo: (value: unknown) => value is T,
): Outcome<Fields<T>, CafRule> {
  const da = at(caf, 'DA')
  const read = (...path: string[]): string => textAt(da, ...path) ?? ''
  const missing = ['RE', 'RS', 'TD', 'FA', 'IDK'].find((name) => read(name) === '')
  if (missing !== undefined) return refuse('missing_field', `DA has no ${missing}.`, `CAF/DA/${missing}`)
  const emisor_rut = canonicalRut(read('RE'))
  if (emisor_rut === null) return refuse('bad_field', 'RE is not a RUT.', 'CAF/DA/RE')
  const tipo_dte: unknown = Number(read('TD'))
  if (!isTipo(tipo_dte)) return refuse('unknown_tipo', `TD ${read('TD')} is not issued here.`, 'CAF/DA/TD')
  const [first_folio, last_folio] = [folioOf(read('RNG', 'D')), folioOf(read('RNG', 'H'))]
  if (first_folio === null || last_folio === null || first_folio > last_folio) {
    return refuse('bad_range', 'RNG is not a range of folios.', 'CAF/DA/RNG')
  }
  const authorised_on = read('FA')
  if (!isCivilDate(authorised_on)) return refuse('bad_field', 'FA is not a date.', 'CAF/DA/FA')
  return accept({
    emisor_rut,
    emisor_name: read('RS'),
    tipo_dte,
    first_folio,
    last_folio,
    authorised_on,
    expires_on: expiry(tipo_dte, authorised_on),
    key_id: Number(read('IDK')),
    modulus: normalNumber(read('RSAPK', 'M')),
    exponent: normalNumber(read('RSAPK', 'E')),
  })
}

/** Tipos that give a tax credit lapse six months after the authorisation; a later signature is CAF-3-517. */
function expiry(tipo_dte: number, authorised_on: string): string | null {
  const caf_months = isTipoDte(tipo_dte)
    ? tipo(tipo_dte).caf_months
    : isUnissuedTipo(tipo_dte)
      ? unissuedTipo(tipo_dte).caf_months
      : null
  return caf_months === null ? null : addMonths(authorised_on, caf_months)
}

function folioOf(text: string): number | null {
  const folio = /^\d{1,10}$/.test(text) ? Number(text) : 0
  return folio >= 1 && folio <= MAX_FOLIO ? folio : null
}

/** FRMA covers the ISO-8859-1 bytes of DA without blanks between tags. */
function refuseUnsigned(xml: string, caf: XmlElement, idk: number, sii_keys: SiiKeys): Refusal<CafRule> | null {
  const key = Object.hasOwn(sii_keys, idk) ? sii_keys[idk] : undefined
  if (key === undefined) {
    return { path: 'CAF/DA/IDK', rule: 'unknown_sii_key', message: `No key of the SII has the number ${idk}.` }
  }
  const da = between(xml, xml.indexOf('<DA>'), '</DA>')
  const frma = Buffer.from(textAt(caf, 'FRMA') ?? '', 'base64')
  if (isSignedBy(Buffer.from(da, 'latin1'), key, frma)) return null
  return { path: 'CAF/FRMA', rule: 'bad_sii_signature', message: 'The SII did not sign this CAF.' }
}

/** Some files say PKCS#1 in the label and hold PKCS#8: the label is not trusted. */
function readPrivateKey(pem: string): KeyObject | undefined {
  const key = Buffer.from(pem.replace(/-----[^-]*-----/g, ''), 'base64')
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    try {
      const read = createPrivateKey({ key, format: 'der', type })
      if (read.asymmetricKeyType === 'rsa') return read
    } catch {}
  }
  return undefined
}

/**
 * The text as the SII wrote it, proven to be the element that was read: a text inside a comment must not stand for it.
 */
function asWritten({ source }: XmlDocument, canonical: string): string {
  const written = flatten(between(source, source.search(/<CAF[\s>]/), '</CAF>'))
  const again = written.includes('<!') ? null : parseXmlText(written)
  return again?.ok && again.value.canonical === canonical ? written : canonical
}

/** From a place to the last closing tag; nothing where either is missing. */
function between(text: string, start: number, closing: string): string {
  const end = text.lastIndexOf(closing)
  return start < 0 || end < start ? '' : text.slice(start, end + closing.length)
}

/** Blanks between tags are not part of what the SII signs, here or in a stamp. */
export function flatten(xml: string): string {
  return xml.replace(/>\s+</g, '><')
}

export type CafUseRule = 'other_emisor' | 'other_tipo' | 'folio_out_of_range' | 'expired'

export interface CafUse {
  readonly emisor_rut: string
  readonly tipo_dte: number
  readonly folio?: number
  /** The day of the signature, in Santiago. */
  readonly on: string
}

/** Why a CAF cannot stamp a document, or null when it can. */
export function checkCafUse(caf: Caf<number>, use: CafUse): Refusal<CafUseRule> | null {
  if (caf.emisor_rut !== use.emisor_rut) {
    return { path: 'emisor_rut', rule: 'other_emisor', message: `The CAF belongs to ${caf.emisor_rut}.` }
  }
  if (caf.tipo_dte !== use.tipo_dte) {
    return { path: 'tipo_dte', rule: 'other_tipo', message: `The CAF is for tipo ${caf.tipo_dte}.` }
  }
  if (use.folio !== undefined && (use.folio < caf.first_folio || use.folio > caf.last_folio)) {
    const message = `The CAF goes from ${caf.first_folio} to ${caf.last_folio}.`
    return { path: 'folio', rule: 'folio_out_of_range', message }
  }
  if (caf.expires_on !== null && use.on > caf.expires_on) {
    return { path: 'on', rule: 'expired', message: `The CAF lapsed on ${caf.expires_on}.` }
  }
  return null
}
