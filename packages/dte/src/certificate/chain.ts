import { createHash, X509Certificate } from 'node:crypto'
import { accept, type Outcome, refuse } from '../refusal.ts'
import { pathLengthOf, signatureIsWeak } from './x509.ts'

/** Certificates of the accredited CAs, roots and those below them, in a form that crosses to a thread. */
export interface CaBundle {
  /** Tells one bundle from another, so that it is opened once. */
  readonly id: string
  /** X.509, DER. */
  readonly certificates: readonly Uint8Array[]
}

export type CaBundleRule = 'too_large' | 'not_a_certificate' | 'too_many' | 'not_a_ca' | 'no_root'

/** Who vouches for a signer: a chain of signatures up to a root of the bundle, or how far a name alone goes. */
export type IssuerFinding =
  /** The years in which every CA of one of its chains was valid. */
  | { readonly issuer: 'proven'; readonly windows: readonly Window[] }
  /** Made with its own key: nobody but the signer vouches for it. */
  | { readonly issuer: 'self_signed' }
  /** It names a CA of the bundle, whose keys did not sign it. */
  | { readonly issuer: 'unproven' }
  | { readonly issuer: 'unknown' }

/** Instants, both inclusive. */
export interface Window {
  readonly from: Date
  readonly until: Date
}

const MAX_BUNDLE_BYTES = 2 * 1024 * 1024
const MAX_AUTHORITIES = 300
/** The signer, two CAs below a root, and the root: no Chilean CA has more. */
const LONGEST_CHAIN = 4
/** A certificate has some 2 kB. */
const LONGEST_CERTIFICATE = 16_384
/** Signatures looked at for one signer: many CAs of one name would only be meant to keep us busy. */
const MOST_TRIES = 24
const MOST_WINDOWS = 4

export const NO_AUTHORITIES: CaBundle = { id: '', certificates: [] }

/** A bundle from PEM texts. Anything that is not a CA, or no root at all, is refused: it would never vouch for anybody. */
export function readCaBundle(pem: string): Outcome<CaBundle, CaBundleRule> {
  if (pem.length > MAX_BUNDLE_BYTES) return refuse('too_large', `It has more than ${MAX_BUNDLE_BYTES} bytes.`)
  const [, ...blocks] = pem.split('-----BEGIN CERTIFICATE-----')
  if (blocks.length > MAX_AUTHORITIES) return refuse('too_many', `It holds more than ${MAX_AUTHORITIES} certificates.`)
  const read: X509Certificate[] = []
  for (const [index, block] of blocks.entries()) {
    const [base64 = ''] = block.split('-----END', 1)
    const certificate = open(Buffer.from(base64, 'base64'))
    if (certificate === undefined) return refuse('not_a_certificate', `Certificate ${index + 1} cannot be read.`)
    if (!certificate.ca) return refuse('not_a_ca', `Certificate ${index + 1} is not one of a CA.`)
    read.push(certificate)
  }
  if (!read.some(isRoot)) return refuse('no_root', 'It holds no root: a chain has to end in one.')
  return accept(bundleOf(read.map(({ raw }) => raw)))
}

/** A bundle of certificates in DER. */
export function bundleOf(certificates: readonly Uint8Array[]): CaBundle {
  const hash = createHash('sha256')
  for (const der of certificates) hash.update(der)
  return { id: hash.digest('hex'), certificates }
}

function open(certificate: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(certificate)
  } catch {
    return undefined
  }
}

const isRoot = (certificate: X509Certificate) => isIssuedBy(certificate, certificate)

/** Names, key identifiers and the right to sign certificates agree, and the signature is the issuer's. */
function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && isSignedWith(certificate, issuer)
  } catch {
    return false
  }
}

const LEAST_BITS = 1024

function isSignedWith(certificate: X509Certificate, { publicKey }: X509Certificate): boolean {
  if (signatureIsWeak(certificate.raw)) return false
  const { modulusLength = LEAST_BITS } = publicKey.asymmetricKeyDetails ?? {}
  return modulusLength >= LEAST_BITS && certificate.verify(publicKey)
}

interface OpenedBundle {
  readonly authorities: readonly X509Certificate[]
  readonly roots: ReadonlySet<X509Certificate>
  readonly found: Map<string, IssuerFinding>
}

const KEPT_BUNDLES = 4
const KEPT_FINDINGS = 256
const opened = new Map<string, OpenedBundle>()

function openBundle({ id, certificates }: CaBundle): OpenedBundle {
  const known = opened.get(id)
  if (known !== undefined) return known
  const authorities = certificates.map(open).filter((certificate) => certificate !== undefined)
  const bundle = { authorities, roots: new Set(authorities.filter(isRoot)), found: new Map() }
  keep(opened, KEPT_BUNDLES, id, bundle)
  return bundle
}

function keep<T>(kept: Map<string, T>, most: number, key: string, value: T): void {
  const [oldest] = kept.keys()
  if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
  kept.set(key, value)
}

/**
 * Who vouches for the first of some certificates (base64), the rest being CAs that came with it. Only a chain of
 * signatures to a root of the bundle proves anything, each CA entitled to issue and to stand where it stands (RFC 5280,
 * 6.1, without policies, name constraints and revocation: nobody is asked over the network). Bounded in depth, in size
 * and in signatures looked at.
 */
export function findIssuer(certificates: readonly string[], bundle: CaBundle): IssuerFinding {
  const key = createHash('sha256').update(certificates.join(' ')).digest('base64')
  const { found, ...rest } = openBundle(bundle)
  const known = found.get(key)
  if (known !== undefined) return known
  const finding = search(certificates, rest)
  keep(found, KEPT_FINDINGS, key, finding)
  return finding
}

function search(certificates: readonly string[], bundle: Omit<OpenedBundle, 'found'>): IssuerFinding {
  const [leaf, ...others] = certificates
    .slice(0, LONGEST_CHAIN)
    .map((text) => (text.length > LONGEST_CERTIFICATE ? undefined : open(Buffer.from(text, 'base64'))))
  if (leaf === undefined) return { issuer: 'unknown' }
  const sent = others.filter((certificate) => certificate?.ca === true) as X509Certificate[]
  const walk: Walk = { candidates: [...bundle.authorities, ...sent], roots: bundle.roots, windows: [], tries: 0 }
  climb([leaf], walk)
  if (walk.windows.length > 0) return { issuer: 'proven', windows: walk.windows }
  if (verifiesItself(leaf)) return { issuer: 'self_signed' }
  return { issuer: bundle.authorities.some(({ subject }) => subject === leaf.issuer) ? 'unproven' : 'unknown' }
}

function verifiesItself(certificate: X509Certificate): boolean {
  try {
    return certificate.verify(certificate.publicKey)
  } catch {
    return false
  }
}

interface Walk {
  readonly candidates: readonly X509Certificate[]
  readonly roots: ReadonlySet<X509Certificate>
  readonly windows: Window[]
  tries: number
}

/** Looks for issuers above the last of a chain, depth first. A certificate stands in a chain once, so no loop is run. */
function climb(chain: readonly X509Certificate[], walk: Walk): void {
  const last = chain.at(-1) as X509Certificate
  for (const candidate of walk.candidates) {
    if (candidate.subject !== last.issuer || chain.some(({ raw }) => raw.equals(candidate.raw))) continue
    if (walk.windows.length >= MOST_WINDOWS || ++walk.tries > MOST_TRIES) return
    // CAs between the signer and this one.
    const below = chain.length - 1
    if (below > (pathLengthOf(candidate.raw) ?? below) || !isIssuedBy(last, candidate)) continue
    const longer = [...chain, candidate]
    if (walk.roots.has(candidate)) walk.windows.push(windowOf(longer.slice(1)))
    else if (longer.length < LONGEST_CHAIN) climb(longer, walk)
  }
}

function windowOf(authorities: readonly X509Certificate[]): Window {
  const from = Math.max(...authorities.map(({ validFrom }) => Date.parse(validFrom)))
  const until = Math.min(...authorities.map(({ validTo }) => Date.parse(validTo)))
  return { from: new Date(from), until: new Date(until) }
}
