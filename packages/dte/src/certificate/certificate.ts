import { createPrivateKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import { accept, type Outcome, refuse } from '../refusal.ts'
import { createSigner, type Signer } from '../signature/sign.ts'
import { NotAPfx, openPkcs12, type Pfx, WrongPassword } from './pkcs12.ts'
import { TooManyIterations, UnsupportedPfx } from './pkcs12-pbe.ts'
import { type CertificateFacts, countAttributes, readCertificate } from './x509.ts'

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
  | 'too_many_iterations'
  | 'wrong_password'
  | 'no_private_key'
  | 'several_keys'
  | 'no_certificate'
  | 'certificate_too_large'
  | 'not_rsa'
  | 'no_rut'
  | 'expired'
  | 'not_yet_valid'

const MAX_PFX_BYTES = 256 * 1024
/** A chain of a CA has three or four. */
const MAX_CERTIFICATES = 32
/** A certificate of a person has some 2 kB and a name of six attributes. It goes out with every document that it signs. */
const MAX_CERTIFICATE_BYTES = 8 * 1024
const MAX_ATTRIBUTES = 32

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
  const pair = findPair(opened.value, at)
  if (!pair.ok) return pair
  const { key, certificate, others } = pair.value
  if (isOversized(certificate)) {
    return refuse(
      'certificate_too_large',
      `The certificate has more than ${MAX_CERTIFICATE_BYTES} bytes, or a name of more than ${MAX_ATTRIBUTES} parts.`,
    )
  }
  const facts = readCertificate(certificate.raw)?.facts
  // Digits are not yet a date: the thirteenth month is one that nobody can compare.
  const dated =
    facts !== undefined && [facts.valid_from, facts.valid_until].every((text) => !Number.isNaN(Date.parse(text)))
  if (!dated) return refuse('no_certificate', 'The certificate in the file cannot be read.')
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

function isOversized({ raw }: X509Certificate): boolean {
  return raw.length > MAX_CERTIFICATE_BYTES || countAttributes(raw) > MAX_ATTRIBUTES
}

function openFile(bytes: Uint8Array, password: string): Outcome<Pfx, CertificateRule> {
  try {
    return accept(openPkcs12(bytes, password))
  } catch (failure) {
    if (failure instanceof WrongPassword) return refuse('wrong_password', 'The password does not open the file.')
    if (failure instanceof UnsupportedPfx)
      return refuse('unsupported_pfx', `The file cannot be opened: ${failure.message}.`)
    if (failure instanceof TooManyIterations)
      return refuse('too_many_iterations', `The file takes too long to open: ${failure.message}. Export it anew.`)
    if (failure instanceof NotAPfx) return refuse('not_a_pfx', `The file is not a .pfx: ${failure.message}.`)
    throw failure
  }
}

interface Pair {
  readonly key: KeyObject
  readonly certificate: X509Certificate
  readonly others: readonly X509Certificate[]
}

/**
 * A file may hold the certificates of the CA beside that of its key. One with several keys leaves open whose it is, and
 * trying each key with each certificate would take as long as its sender likes.
 */
function findPair({ keys, certificates }: Pfx, at: Date): Outcome<Pair, CertificateRule> {
  const distinct = [...new Map(keys.map((der) => [der.toString('latin1'), der])).values()]
  if (distinct.length > 1) return refuse('several_keys', 'The file holds more than one private key: export one alone.')
  const key = distinct.map(readKey)[0]
  if (key === undefined) return refuse('no_private_key', 'The file holds no private key: export it with its key.')
  const read = certificates
    .slice(0, MAX_CERTIFICATES)
    .map(readX509)
    .filter((one) => one !== undefined)
  const certificate = bestOf(
    read.filter((candidate) => isPair(candidate, key)),
    at,
  )
  if (certificate === undefined) {
    return refuse('no_certificate', 'The file holds no certificate for its private key.')
  }
  if (key.asymmetricKeyType !== 'rsa') return refuse('not_rsa', 'The SII takes RSA certificates only.')
  if (!signsTruly(certificate, key)) return refuse('no_private_key', 'The private key in the file is damaged.')
  return accept({ key, certificate, others: read.filter((other) => other !== certificate && !isOversized(other)) })
}

/** A renewed certificate may have kept its key, and the file the one before it: the one that is valid, and longest. */
function bestOf(certificates: readonly X509Certificate[], at: Date): X509Certificate | undefined {
  const ends = ({ validTo }: X509Certificate) => Date.parse(validTo) || 0
  const isValid = (one: X509Certificate) => Date.parse(one.validFrom) <= at.getTime() && at.getTime() <= ends(one)
  const [best] = [...certificates].sort((a, b) => Number(isValid(b)) - Number(isValid(a)) || ends(b) - ends(a))
  return best
}

/** The public half of a key says nothing of the rest of it: one whose factors are wrong signs what nobody can verify. */
function signsTruly(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    const probe = Buffer.from('timbre')
    return verify('RSA-SHA256', probe, certificate.publicKey, sign('RSA-SHA256', probe, key))
  } catch {
    return false
  }
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
