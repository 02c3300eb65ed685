import {
  type CertificateFacts,
  isSignedBy,
  type KnownCertificate,
  knownCertificate,
  normalNumber,
} from '../certificate/x509.ts'
import { accept, type Outcome, type Refusal, refuse } from '../refusal.ts'
import { canonicalSubtree, canonicalWithout } from '../xml/c14n.ts'
import type { XmlDocument } from '../xml/parse.ts'
import { childrenOf, NO_ATTRIBUTES, type XmlElement } from '../xml/tree.ts'
import { contexts, matches } from './match.ts'
import { readSignature, type ShapeRule, type SignatureShape } from './shape.ts'

/** What each kind of file signs: the parent of the signature, and the sibling that it must cover. */
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  DTE: ['Documento', 'Liquidacion', 'Exportaciones'],
  EnvioDTE: ['SetDTE'],
  EnvioBOLETA: ['SetDTE'],
  RespuestaDTE: ['Resultado'],
  EnvioRecibos: ['SetRecibos'],
  Recibo: ['DocumentoRecibo'],
  AEC: ['DocumentoAEC'],
  DTECedido: ['DocumentoDTECedido'],
  Cesion: ['DocumentoCesion'],
  LibroCompraVenta: ['EnvioLibro'],
  LibroGuia: ['EnvioLibro'],
  ConsumoFolios: ['DocumentoConsumoFolios'],
  getToken: ['item'],
}

export type VerifyRule =
  | ShapeRule
  | 'missing_signature'
  | 'misplaced_signature'
  | 'duplicate_id'
  | 'too_many_signatures'
  | 'wrapped_content'
  | 'wrong_reference'
  | 'bad_certificate'
  | 'weak_key'
  | 'key_mismatch'
  | 'digest_mismatch'
  | 'bad_signature'

export interface CheckedSignature {
  /** `EnvioDTE/SetDTE/DTE[2]`. */
  readonly path: string
  /** The element that the signature covers: read the document from here and nowhere else. */
  readonly signed: XmlElement
  readonly container: XmlElement
  /** Base64 DigestValue: the acknowledgement of an envelope repeats it. */
  readonly digest: string
  readonly signer: CertificateFacts | null
  /** The signer's certificate and those that came with it, base64: what `findIssuer` takes. */
  readonly certificates: readonly string[]
  /** Null when the signature is true. It does not tell whether a CA vouches for the certificate. */
  readonly refusal: Refusal<VerifyRule> | null
}

/**
 * Checks every signature of a file. The covered element is found by its place beside the signature, never by searching
 * for its ID, and IDs must be unique: moving a signed element elsewhere to show another in its place is refused.
 * The outcome is a refusal when the file as a whole cannot be trusted; otherwise one result for each signature.
 */
export function verifySignatures(document: XmlDocument): Outcome<readonly CheckedSignature[], VerifyRule> {
  const containers: Container[] = []
  const { root } = document
  const refusal = root.name === LOOSE_SET ? collectLoose(root, containers) : collectWhole(root, containers)
  if (refusal !== null) return { ok: false, refusal }
  const checked: CheckedSignature[] = []
  for (const container of containers) {
    const signed = signedChild(container)
    if (!signed.ok) return signed
    for (const element of container.signatures) checked.push(check(document, container, signed.value, element))
  }
  return accept(checked)
}

/**
 * The free portal of the SII gives a taxpayer's documents out as a `SetDTE` that nobody signed. Each document in it
 * proves itself, and an ID is unique within its own document: they come from many emitters.
 */
const LOOSE_SET = 'SetDTE'

function collectLoose(root: XmlElement, containers: Container[]): Refusal<VerifyRule> | null {
  for (const [index, dte] of childrenOf(root, 'DTE').entries()) {
    const trail = [root.name, index > 0 ? `DTE[${index + 1}]` : 'DTE']
    const refusal = collect(dte, { containers, ids: new Set(), trail, nested: 0 })
    if (refusal !== null) return refusal
  }
  return null
}

function collectWhole(root: XmlElement, containers: Container[]): Refusal<VerifyRule> | null {
  const refusal = collect(root, { containers, ids: new Set(), trail: [root.name], nested: 0 })
  if (refusal !== null || containers.some(({ element }) => element === root)) return refusal
  const message = `${root.name} is not a kind of file that is signed.`
  return { path: root.name, rule: 'missing_signature', message }
}

interface Container {
  readonly element: XmlElement
  readonly path: string
  readonly signatures: readonly XmlElement[]
}

/** An EnvioDTE holds 2,000 documents; an AEC nests three signed parents. More would only be meant to keep us busy. */
const MAX_SIGNATURES = 2500
const MAX_NESTED = 4

interface Walk {
  readonly containers: Container[]
  readonly ids: Set<string>
  /** Names from the root to the element at hand. */
  readonly trail: string[]
  nested: number
}

/** One walk finds the signed parents, the misplaced signatures and the repeated IDs. */
function collect(element: XmlElement, walk: Walk): Refusal<VerifyRule> | null {
  const id = idOf(element)
  if (id !== undefined) {
    if (walk.ids.has(id)) return faultAt(walk, 'duplicate_id', `The ID ${id} appears more than once.`)
    walk.ids.add(id)
  }
  const signatures = element.children.some(isSignature) ? childrenOf(element, 'Signature') : []
  const most = Object.hasOwn(SIGNED, element.name) ? (element.name === 'Cesion' ? 3 : 1) : 0
  if (most > 0 && signatures.length === 0) return faultAt(walk, 'missing_signature', `${element.name} is not signed.`)
  if (signatures.length > most) {
    return faultAt(walk, 'misplaced_signature', `${element.name} has ${signatures.length} signatures, not ${most}.`)
  }
  if (most === 0) return collectChildren(element, walk)
  walk.containers.push({ element, path: walk.trail.join('/'), signatures })
  if (walk.containers.length > MAX_SIGNATURES || ++walk.nested > MAX_NESTED) {
    return faultAt(walk, 'too_many_signatures', 'The file holds more signatures than any the SII takes.')
  }
  const refusal = collectChildren(element, walk)
  walk.nested--
  return refusal
}

function collectChildren({ children }: XmlElement, walk: Walk): Refusal<VerifyRule> | null {
  let nth = 0
  let last = ''
  for (const child of children) {
    nth = child.name === last ? nth + 1 : 1
    last = child.name
    walk.trail.push(nth > 1 ? `${last}[${nth}]` : last)
    const refusal = collect(child, walk)
    if (refusal !== null) return refusal
    walk.trail.pop()
  }
  return null
}

const isSignature = ({ name }: XmlElement): boolean => name === 'Signature'

function faultAt({ trail }: Walk, rule: VerifyRule, message: string): Refusal<VerifyRule> {
  return { path: trail.join('/'), rule, message }
}

function idOf({ attributes }: XmlElement): string | undefined {
  if (attributes === NO_ATTRIBUTES) return undefined
  return attributes.ID ?? attributes.Id ?? attributes.id ?? attributes['xml:id']
}

function signedChild({ element, path }: Container): Outcome<XmlElement, VerifyRule> {
  const expected = SIGNED[element.name] ?? []
  const [signed, ...others] = element.children.filter(({ name }) => expected.includes(name))
  if (signed === undefined) return refuse('wrapped_content', `${element.name} lacks ${expected.join(' or ')}.`, path)
  if (others.length > 0) return refuse('wrapped_content', `${element.name} holds more than one ${signed.name}.`, path)
  return accept(signed)
}

function check(document: XmlDocument, container: Container, signed: XmlElement, element: XmlElement): CheckedSignature {
  const shape = readSignature(element, `${container.path}/Signature`)
  const known = { path: container.path, container: container.element, signed }
  if (!shape.ok) return { ...known, digest: '', signer: null, certificates: [], refusal: shape.refusal }
  const { certificate: own, issuers, digest } = shape.value
  const certificate = knownCertificate(own)
  const refusal = examine(document, container, signed, shape.value, certificate)
  const signer = certificate?.facts ?? null
  return { ...known, digest: digest.toString('base64'), signer, certificates: [own, ...issuers], refusal }
}

function examine(
  document: XmlDocument,
  { element, path }: Container,
  signed: XmlElement,
  shape: SignatureShape,
  certificate: KnownCertificate | undefined,
): Refusal<VerifyRule> | null {
  const fault = (rule: VerifyRule, message: string) => ({ path: `${path}/Signature`, rule, message })
  const whole = element.name === 'getToken'
  if (whole ? shape.id !== '' || !shape.enveloped : shape.id === '' || shape.id !== idOf(signed)) {
    return fault('wrong_reference', `The signature does not refer to the ${signed.name} beside it.`)
  }
  const { key, numbers } = certificate ?? {}
  if (key === undefined || numbers === undefined) return fault('bad_certificate', 'There is no RSA certificate.')
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < 1024 || bits > 8192) return fault('weak_key', `The key has ${bits} bits.`)
  const outer = element === document.root
  const digested = whole
    ? matches(canonicalWithout(document, element, shape.element), shape.digest)
    : contexts(signed.namespaces, outer, '').some((namespaces) =>
        matches(canonicalSubtree(document, signed, namespaces), shape.digest),
      )
  if (!digested) return fault('digest_mismatch', `The ${signed.name} changed after it was signed.`)
  if (shape.modulus !== undefined && normalNumber(shape.modulus) !== numbers.modulus) {
    return fault('key_mismatch', 'KeyValue is not the key of the certificate.')
  }
  const info = shape.signed_info
  const true_signature = contexts(info.namespaces, outer, info.prefix).some((namespaces) =>
    isSignedBy(Buffer.from(canonicalSubtree(document, info, namespaces)), key, shape.value),
  )
  return true_signature ? null : fault('bad_signature', 'The signature was not made with the key of the certificate.')
}

/** The first refusal of a file, its own or that of one of its signatures; null when all are true. */
export function firstRefusal(outcome: Outcome<readonly CheckedSignature[], VerifyRule>): Refusal<VerifyRule> | null {
  return outcome.ok ? (outcome.value.find(({ refusal }) => refusal !== null)?.refusal ?? null) : outcome.refusal
}
