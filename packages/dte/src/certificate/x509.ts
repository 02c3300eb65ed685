import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { canonicalRut } from '../rut.ts'
import {
  DER_INTEGER,
  DER_OCTET_STRING,
  DER_SEQUENCE,
  type Der,
  derChildren,
  derContent,
  isOid,
  readDer,
} from './der.ts'

/** What a signature says about its signer. Nothing here proves that a CA issued the certificate. */
export interface CertificateFacts {
  /** RUT of the holder, without leading zeros; null when the certificate carries none. */
  readonly rut: string | null
  readonly holder: string
  readonly issuer: string
  readonly serial: string
  /** Instants, ISO 8601 in UTC. */
  readonly valid_from: string
  readonly valid_until: string
}

export interface RsaNumbers {
  /** Big endian without a leading zero, base64. */
  readonly modulus: string
  readonly exponent: string
}

export interface ReadCertificate {
  readonly facts: CertificateFacts
  /** Undefined for a certificate that is not RSA. */
  readonly numbers: RsaNumbers | undefined
}

const EXTENSIONS_TAG = 0xa3
const OTHER_NAME_TAG = 0xa0
const VERSION_TAG = 0xa0
const BIT_STRING = 0x03
const DER_BOOLEAN = 0x01
const COMMON_NAME = '550403'
const SERIAL_NUMBER = '550405'
const RSA_ENCRYPTION = '2a864886f70d010101'
const SUBJECT_ALT_NAME = '551d11'
const BASIC_CONSTRAINTS = '551d13'
const KEY_USAGE = '551d0f'
/** MD2, MD4 and MD5 with RSA: two certificates with one such signature can be made at will. */
const BROKEN_SIGNATURES: readonly string[] = ['2a864886f70d010102', '2a864886f70d010103', '2a864886f70d010104']
/** 1.3.6.1.4.1.8321.1, where E-Sign, E-CertChile and Acepta write the RUT of the holder; .2 is that of the CA. */
const RUT_OF_HOLDER = '2b06010401c10101'

/**
 * The parts of an X.509 certificate that a signature is judged by, or undefined when the bytes are not one. Read here
 * because Node's own class takes longer than parsing and digesting the whole document.
 */
export function readCertificate(der: Uint8Array): ReadCertificate | undefined {
  const [tbs] = derChildren(readDer(der))
  const fields = derChildren(tbs)
  const [serial, , issuer, validity, subject, public_key] = unversioned(fields)
  const [from, until] = derChildren(validity).map(instantOf)
  if (serial?.tag !== DER_INTEGER || public_key?.tag !== DER_SEQUENCE || !from || !until) return undefined
  const extensions = fields.find(({ tag }) => tag === EXTENSIONS_TAG)
  // Newer certificates have the RUT in both places, foreign ones in neither.
  const written = rutInExtensions(extensions) ?? attributeOf(subject, SERIAL_NUMBER)
  const facts = {
    rut: written === undefined ? null : canonicalRut(written),
    holder: nameOf(subject),
    issuer: nameOf(issuer),
    serial: Buffer.from(derContent(serial))
      .toString('hex')
      .replace(/^00(?=.)/, '')
      .toUpperCase(),
    valid_from: from,
    valid_until: until,
  }
  return { facts, numbers: numbersOf(public_key) }
}

const unversioned = (fields: readonly Der[]): readonly Der[] =>
  fields[0]?.tag === VERSION_TAG ? fields.slice(1) : fields

/** How many attributes the longer of the two names of a certificate has. */
export function countAttributes(der: Uint8Array): number {
  const [tbs] = derChildren(readDer(der))
  const [, , issuer, , subject] = unversioned(derChildren(tbs))
  return Math.max(...[issuer, subject].map((name) => attributesOf(name).length))
}

/** What the extensions of one kind hold. */
function extensionsOf(extensions: Der | undefined, kind: string): readonly Der[] {
  return derChildren(derChildren(extensions)[0]).flatMap((extension) => {
    const [id, ...rest] = derChildren(extension)
    const value = rest.find(({ tag }) => tag === DER_OCTET_STRING)
    const held = isOid(id, kind) && value !== undefined && readDer(value.bytes, value.start, value.end)
    return held ? [held] : []
  })
}

/**
 * Whether the key of a certificate may sign documents: digitalSignature or nonRepudiation, bits 0 and 1 of the first octet
 * (RFC 5280, 4.2.1.3). One that does not say may be used for anything.
 */
export function maySignDocuments(der: Uint8Array): boolean {
  const [tbs] = derChildren(readDer(der))
  const extensions = derChildren(tbs).find(({ tag }) => tag === EXTENSIONS_TAG)
  return extensionsOf(extensions, KEY_USAGE).every((usage) => ((derContent(usage)[1] ?? 0) & 0xc0) !== 0)
}

/**
 * Whether a certificate says of itself that it is one of a CA (RFC 5280, 4.2.1.9). OpenSSL, and so Node, says no of one
 * whose keyUsage lacks keyCertSign; to sign with, it is one all the same.
 */
export function claimsToBeCa(der: Uint8Array): boolean {
  const [tbs] = derChildren(readDer(der))
  const extensions = derChildren(tbs).find(({ tag }) => tag === EXTENSIONS_TAG)
  const flags = extensionsOf(extensions, BASIC_CONSTRAINTS).flatMap(derChildren)
  return flags.some((flag) => flag.tag === DER_BOOLEAN && derContent(flag).some((octet) => octet !== 0))
}

/** How many CAs may stand below one; undefined where it does not say (RFC 5280, 4.2.1.9). */
export function pathLengthOf(der: Uint8Array): number | undefined {
  const [tbs] = derChildren(readDer(der))
  const extensions = derChildren(tbs).find(({ tag }) => tag === EXTENSIONS_TAG)
  const [constraints] = extensionsOf(extensions, BASIC_CONSTRAINTS)
  const length = derChildren(constraints).find(({ tag }) => tag === DER_INTEGER)
  if (length === undefined) return undefined
  const [first = 0, ...more] = derContent(length)
  return more.length > 0 ? Number.MAX_SAFE_INTEGER : first
}

/** Whether a certificate is signed by means that are broken, and so by anybody. SHA-1 is not refused: CAs used it. */
export function signatureIsWeak(der: Uint8Array): boolean {
  const [, algorithm] = derChildren(readDer(der))
  const [id] = derChildren(algorithm)
  return BROKEN_SIGNATURES.some((broken) => isOid(id, broken))
}

function rutInExtensions(extensions: Der | undefined): string | undefined {
  for (const names of extensionsOf(extensions, SUBJECT_ALT_NAME)) {
    for (const name of derChildren(names).filter(({ tag }) => tag === OTHER_NAME_TAG)) {
      const [kind, wrapped] = derChildren(name)
      const [text] = derChildren(wrapped)
      if (isOid(kind, RUT_OF_HOLDER) && text !== undefined) return textOf(text)
    }
  }
  return undefined
}

/** A distinguished name is a list of sets of (kind, text). */
function attributesOf(name: Der | undefined): readonly (readonly Der[])[] {
  return derChildren(name).flatMap((set) => derChildren(set).map(derChildren))
}

function attributeOf(name: Der | undefined, kind: string): string | undefined {
  const [, value] = attributesOf(name).find(([id]) => isOid(id, kind)) ?? []
  return value === undefined ? undefined : textOf(value)
}

function nameOf(name: Der | undefined): string {
  const all = () => attributesOf(name).map(([, value]) => (value === undefined ? '' : textOf(value)))
  return (attributeOf(name, COMMON_NAME) ?? all().join(', ')).replace(/\s+/g, ' ').trim()
}

function textOf(der: Der): string {
  const bytes = Buffer.from(derContent(der))
  if (der.tag === 0x0c) return bytes.toString('utf8')
  if (der.tag === 0x1e && bytes.length % 2 === 0) return bytes.swap16().toString('utf16le')
  return bytes.toString('latin1')
}

/** UTCTime has two digits for the year, 1950 to 2049 (RFC 5280, 4.1.2.5). */
function instantOf(der: Der): string | undefined {
  const written = Buffer.from(derContent(der)).toString('latin1')
  const full = der.tag === 0x17 ? `${Number(written.slice(0, 2)) < 50 ? '20' : '19'}${written}` : written
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full)
  if (parts === null) return undefined
  return `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}.000Z`
}

function numbersOf(public_key: Der): RsaNumbers | undefined {
  const [algorithm, bits] = derChildren(public_key)
  if (!isOid(derChildren(algorithm)[0], RSA_ENCRYPTION) || bits?.tag !== BIT_STRING) return undefined
  const [modulus, exponent] = derChildren(readDer(bits.bytes, bits.start + 1, bits.end))
  if (modulus?.tag !== DER_INTEGER || exponent?.tag !== DER_INTEGER) return undefined
  return { modulus: withoutZeros(derContent(modulus)), exponent: withoutZeros(derContent(exponent)) }
}

function withoutZeros(bytes: Uint8Array): string {
  const first = bytes.findIndex((byte) => byte !== 0)
  return Buffer.from(bytes.subarray(first === -1 ? bytes.length : first)).toString('base64')
}

/** A number as XML writes it, in the form that compares: base64 without blanks or leading zeros. */
export function normalNumber(base64: string): string {
  return withoutZeros(Buffer.from(base64, 'base64'))
}

/** An RSA key by its numbers, or undefined when they are none or so large that using them would be an attack. */
export function rsaPublicKey({ modulus, exponent }: RsaNumbers): KeyObject | undefined {
  if (modulus === '' || exponent === '' || modulus.length > 1400 || exponent.length > 8) return undefined
  const [n, e] = [toBase64Url(modulus), toBase64Url(exponent)]
  try {
    return createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' })
  } catch {
    return undefined
  }
}

const toBase64Url = (base64: string): string => Buffer.from(base64, 'base64').toString('base64url')

export interface KnownCertificate extends ReadCertificate {
  readonly key: KeyObject | undefined
}

/** A server hears from the same suppliers again and again: their keys are kept ready, the oldest giving way. */
const KEPT = 256
const LONGEST_KEPT = 16_384
const kept = new Map<string, KnownCertificate>()

/** A certificate by its base64, with its key ready to verify. The same text always gives the same answer. */
export function knownCertificate(base64: string): KnownCertificate | undefined {
  const found = kept.get(base64)
  if (found !== undefined) return found
  const read = readCertificate(Buffer.from(base64, 'base64'))
  if (read === undefined) return undefined
  const known = { ...read, key: read.numbers && rsaPublicKey(read.numbers) }
  if (base64.length > LONGEST_KEPT) return known
  const [oldest] = kept.keys()
  if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest)
  // A copy: a part of a string keeps the whole of it in memory, and this is part of a document.
  kept.set(Buffer.from(base64, 'latin1').toString('latin1'), known)
  return known
}

/** Modulus and exponent of an RSA key, or undefined for any other kind. */
export function rsaNumbers(key: KeyObject): RsaNumbers | undefined {
  if (key.asymmetricKeyType !== 'rsa') return undefined
  const { n = '', e = '' } = key.export({ format: 'jwk' })
  const [modulus, exponent] = [n, e].map((part) => Buffer.from(part, 'base64url').toString('base64'))
  return { modulus: modulus ?? '', exponent: exponent ?? '' }
}

/** PKCS#1 v1.5 with SHA-1, false also for a key or a signature that cannot be used at all. */
export function isSignedBy(bytes: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify('RSA-SHA1', bytes, key, signature)
  } catch {
    return false
  }
}
