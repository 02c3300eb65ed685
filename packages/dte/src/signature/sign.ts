import { createHash, hash, type KeyObject, sign as rsaSign, type X509Certificate } from 'node:crypto'
import { readCertificate, rsaNumbers } from '../certificate/x509.ts'
import { escapeAttribute } from '../xml/write.ts'
import { signSha1 } from './rsa-sha1.ts'

/**
 * The SII's signature profile (xmldsignature_v10.xsd; SII, Formato de Documentos Tributarios Electrónicos, annex on
 * the signature): RSA-SHA1, SHA-1, inclusive C14N 1.0, one reference with one transform, KeyValue before X509Data.
 */
export const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
export const SII_DTE = 'http://www.sii.cl/SiiDte'
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
export const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
export const RSA_SHA1 = `${DSIG}rsa-sha1`
export const SHA1 = `${DSIG}sha1`
export const ENVELOPED = `${DSIG}enveloped-signature`

/** A certificate with its private key, read once and used for many signatures. */
export interface Signer {
  readonly key: KeyObject
  /** RUT of the holder: the person who signs and sends. */
  readonly rut: string | null
  /** Its name, as the certificate has it. */
  readonly holder: string
  /** Written once: it is the same in every signature. */
  readonly key_info: string
}

/** A canonical text to sign, in pieces, and what the signature must say about it. */
export interface Signable {
  /** Empty for the whole document (getToken). */
  readonly id: string
  readonly canonical: readonly string[]
  /** Prefixed namespaces in scope where the signature stands, as the canonical form of SignedInfo writes them. */
  readonly scope: '' | typeof XSI_SCOPE
}

export const XSI_SCOPE = ` xmlns:xsi="${XSI}"`

/** Throws when the key is not the certificate's: such a signer could only make signatures that nobody can verify. */
export function createSigner(key: KeyObject, certificate: X509Certificate): Signer {
  const numbers = rsaNumbers(certificate.publicKey)
  if (numbers === undefined || !certificate.checkPrivateKey(key)) {
    throw new TypeError('the private key does not belong to the certificate, or it is not RSA')
  }
  const value = `<RSAKeyValue><Modulus>${wrap(numbers.modulus)}</Modulus><Exponent>${numbers.exponent}</Exponent></RSAKeyValue>`
  const x509 = `<X509Certificate>${wrap(certificate.raw.toString('base64'))}</X509Certificate>`
  const facts = readCertificate(certificate.raw)?.facts
  return {
    key,
    rut: facts?.rut ?? null,
    holder: facts?.holder ?? '',
    key_info: `<KeyInfo><KeyValue>${value}</KeyValue><X509Data>${x509}</X509Data></KeyInfo>`,
  }
}

/** The `Signature` element over a canonical text, on the calling thread. */
export function signatureSync(signable: Signable, signer: Signer): string {
  const content = signedInfoContent(signable)
  return writeSignature(content, signSha1(signedInfo(content, signable.scope), signer.key), signer)
}

/** The same, with RSA on the thread pool, so that several documents are signed at once. */
export function signature(signable: Signable, signer: Signer): Promise<string> {
  const content = signedInfoContent(signable)
  const bytes = Buffer.from(signedInfo(content, signable.scope), 'utf8')
  return new Promise((resolve, reject) => {
    rsaSign('RSA-SHA1', bytes, signer.key, (failure, value) => {
      if (failure === null) resolve(writeSignature(content, value.toString('base64'), signer))
      else reject(failure)
    })
  })
}

/** Base64 SHA-1 of the pieces in UTF-8, which is what C14N always is, whatever the file is written in. */
export function digestOf(canonical: readonly string[]): string {
  // A document alone, which nearly all are, takes half of the time in one call.
  if (canonical.length <= 2) return hash('sha1', canonical.join(''), 'base64')
  const digest = createHash('sha1')
  for (const piece of canonical) digest.update(piece, 'utf8')
  return digest.digest('base64')
}

/** What stands around the two values of a `SignedInfo` that change, its reference and its digest, put together once. */
const BEFORE_URI =
  `<CanonicalizationMethod Algorithm="${C14N}"></CanonicalizationMethod>` +
  `<SignatureMethod Algorithm="${RSA_SHA1}"></SignatureMethod><Reference URI="`
const beforeDigest = (transform: string) =>
  `"><Transforms><Transform Algorithm="${transform}"></Transform></Transforms>` +
  `<DigestMethod Algorithm="${SHA1}"></DigestMethod><DigestValue>`
const OF_PART = beforeDigest(C14N)
const OF_WHOLE = beforeDigest(ENVELOPED)

function signedInfoContent({ id, canonical }: Signable): string {
  const reference = id === '' ? OF_WHOLE : `#${escapeAttribute(id)}${OF_PART}`
  return `${BEFORE_URI}${reference}${digestOf(canonical)}</DigestValue></Reference>`
}

const SIGNED_INFO = `<SignedInfo xmlns="${DSIG}"`
const SIGNATURE = `<Signature xmlns="${DSIG}"><SignedInfo>`

function signedInfo(content: string, scope: string): string {
  return `${SIGNED_INFO}${scope}>${content}</SignedInfo>`
}

function writeSignature(content: string, value: string, signer: Signer): string {
  return (
    `${SIGNATURE}${content}</SignedInfo><SignatureValue>` +
    `${wrap(value)}</SignatureValue>${signer.key_info}</Signature>`
  )
}

/** Lines of 64 characters, as most accepted documents have them. */
function wrap(base64: string): string {
  let lines = base64.slice(0, 64)
  for (let at = 64; at < base64.length; at += 64) lines += `\n${base64.slice(at, at + 64)}`
  return lines
}
