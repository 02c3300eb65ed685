import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { accept, type Outcome, refuse } from '../refusal.ts'
import { createSigner, type Signer } from '../signature/sign.ts'
import { NotAPfx, openPkcs12, type Pfx, WrongPassword } from './pkcs12.ts'
import { UnsupportedPfx } from './pkcs12-pbe.ts'
import { type CertificateFacts, readCertificate } from './x509.ts'

/** A certificate of a person with its key, ready to sign. */
export interface OpenedCertificate extends CertificateFacts {
  readonly rut: string
  readonly signer: Signer
  readonly key: KeyObject
  /** X.509, DER. */
  readonly certificate: Uint8Array
  /** The issuers that came in the file, nearest first, each one's signature checked by the next. */
  readonly chain: readonly Uint8Array[]
}

export type CertificateRule =
  | 'too_large'
  | 'not_a_pfx'
  | 'unsupported_pfx'
  | 'wrong_password'
  | 'no_private_key'
  | 'no_certificate'
  | 'not_rsa'
  | 'no_rut'
  | 'expired'
  | 'not_yet_valid'

const MAX_PFX_BYTES = 256 * 1024

/**
 * Opens a .pfx of any kind the Chilean CAs issue. `at` is the instant its validity is judged by. It takes tens of
 * milliseconds of CPU: a server calls it in a worker thread.
 */
export function openCertificate(
  bytes: Uint8Array,
  password: string,
  at: Date,
): Outcome<OpenedCertificate, CertificateRule> {
  if (bytes.length > MAX_PFX_BYTES) return refuse('too_large', `The file has more than ${MAX_PFX_BYTES} bytes.`)
  const opened = openFile(bytes, password)
  if (!opened.ok) return opened
  const pair = findPair(opened.value)
  if (!pair.ok) return pair
  const { key, certificate, others } = pair.value
  const facts = readCertificate(certificate.raw)?.facts
  if (facts === undefined) return refuse('no_certificate', 'The certificate in the file cannot be read.')
  const { rut } = facts
  if (rut === null) return refuse('no_rut', 'The certificate does not carry the RUT of its holder.')
  if (at.toISOString() > facts.valid_until) return refuse('expired', `The certificate expired on ${facts.valid_until}.`)
  if (at.toISOString() < facts.valid_from) {
    return refuse('not_yet_valid', `The certificate is valid from ${facts.valid_from}.`)
  }
  return accept({
    ...facts,
    rut,
    key,
    certificate: certificate.raw,
    chain: chainOf(certificate, others).map(({ raw }) => raw),
    signer: createSigner(key, certificate),
  })
}

function openFile(bytes: Uint8Array, password: string): Outcome<Pfx, CertificateRule> {
  try {
    return accept(openPkcs12(bytes, password))
  } catch (failure) {
    if (failure instanceof WrongPassword) return refuse('wrong_password', 'The password does not open the file.')
    if (failure instanceof UnsupportedPfx)
      return refuse('unsupported_pfx', `The file cannot be opened: ${failure.message}.`)
    if (failure instanceof NotAPfx) return refuse('not_a_pfx', `The file is not a .pfx: ${failure.message}.`)
    throw failure
  }
}

interface Pair {
  readonly key: KeyObject
  readonly certificate: X509Certificate
  readonly others: readonly X509Certificate[]
}

/** A file may hold several keys and the certificates of the CA: the pair is the key and the certificate that match. */
function findPair({ keys, certificates }: Pfx): Outcome<Pair, CertificateRule> {
  const read = certificates.map(readX509).filter((certificate) => certificate !== undefined)
  const privates = keys.map(readKey).filter((key) => key !== undefined)
  if (privates.length === 0) return refuse('no_private_key', 'The file holds no private key.')
  for (const key of privates) {
    const certificate = read.find((candidate) => isPair(candidate, key))
    if (certificate === undefined) continue
    if (key.asymmetricKeyType !== 'rsa') return refuse('not_rsa', 'The SII takes RSA certificates only.')
    return accept({ key, certificate, others: read.filter((other) => other !== certificate) })
  }
  return refuse('no_certificate', 'The file holds no certificate for its private key.')
}

function readX509(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}

function isPair(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    return certificate.checkPrivateKey(key)
  } catch {
    return false
  }
}

function readKey(der: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    return undefined
  }
}

function chainOf(leaf: X509Certificate, others: readonly X509Certificate[]): readonly X509Certificate[] {
  const chain: X509Certificate[] = []
  let last = leaf
  for (let steps = 0; steps < others.length; steps++) {
    const issuer = others.find((other) => !chain.includes(other) && isIssuer(last, other))
    if (issuer === undefined) break
    chain.push(issuer)
    last = issuer
  }
  return chain
}

function isIssuer(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    return false
  }
}
