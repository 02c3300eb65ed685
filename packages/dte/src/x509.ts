import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { DER_OCTET_STRING, DER_SEQUENCE, type Der, derChildren, derContent, isOid, readDer } from './der.ts'
import { canonicalRut } from './rut.ts'

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

const EXTENSIONS_TAG = 0xa3
const OTHER_NAME_TAG = 0xa0
const SUBJECT_ALT_NAME = '551d11'
/** 1.3.6.1.4.1.8321.1, where E-Sign, E-CertChile and Acepta write the RUT of the holder; .2 is that of the CA. */
const RUT_OF_HOLDER = '2b06010401c10101'

/** The certificate, or undefined when the bytes are not one. */
export function readCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}

/** Its key, or undefined when it is of a kind that cannot be read: the getter throws then. */
export function publicKeyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey
  } catch {
    return undefined
  }
}

export function certificateFacts(certificate: X509Certificate): CertificateFacts {
  return {
    rut: rutOfHolder(certificate),
    holder: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    serial: certificate.serialNumber,
    valid_from: instantOf(certificate.validFrom),
    valid_until: instantOf(certificate.validTo),
  }
}

/** Alternative name first, then the serialNumber of the subject: newer certificates have both, foreign ones neither. */
function rutOfHolder(certificate: X509Certificate): string | null {
  const written = rutInAlternativeName(certificate.raw) ?? /^serialNumber=(.+)$/m.exec(certificate.subject)?.[1]
  return written === undefined ? null : canonicalRut(written)
}

function rutInAlternativeName(raw: Uint8Array): string | undefined {
  const [tbs] = derChildren(readDer(raw))
  const extensions = derChildren(tbs).find(({ tag }) => tag === EXTENSIONS_TAG)
  for (const extension of derChildren(derChildren(extensions)[0])) {
    const [id, ...rest] = derChildren(extension)
    const value = rest.find(({ tag }) => tag === DER_OCTET_STRING)
    if (!isOid(id, SUBJECT_ALT_NAME) || value === undefined) continue
    const names = readDer(value.bytes, value.start, value.end)
    if (names?.tag === DER_SEQUENCE) return rutAmong(derChildren(names))
  }
  return undefined
}

function rutAmong(names: readonly Der[]): string | undefined {
  for (const name of names.filter(({ tag }) => tag === OTHER_NAME_TAG)) {
    const [id, wrapped] = derChildren(name)
    const [value] = derChildren(wrapped)
    if (isOid(id, RUT_OF_HOLDER) && value !== undefined) return Buffer.from(derContent(value)).toString('latin1')
  }
  return undefined
}

function nameOf(name: string): string {
  return (/^CN=(.+)$/m.exec(name)?.[1] ?? name.split('\n').join(', ')).replace(/\s+/g, ' ').trim()
}

/** OpenSSL prints `Sep  4 21:11:12 2017 GMT`. */
function instantOf(printed: string): string {
  const instant = new Date(printed)
  return Number.isNaN(instant.getTime()) ? '' : instant.toISOString()
}

/** PKCS#1 v1.5 with SHA-1, false also for a key or a signature that cannot be used at all. */
export function isSignedBy(bytes: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify('RSA-SHA1', bytes, key, signature)
  } catch {
    return false
  }
}

/** Modulus and exponent of an RSA key, or undefined for any other kind. */
export function rsaNumbers(key: KeyObject): RsaNumbers | undefined {
  if (key.asymmetricKeyType !== 'rsa') return undefined
  const { n, e } = key.export({ format: 'jwk' })
  if (n === undefined || e === undefined) return undefined
  return { modulus: toBase64(n), exponent: toBase64(e) }
}

function toBase64(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('base64')
}
