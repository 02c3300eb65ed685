import { accept, type Outcome, refuse } from '../refusal.ts'
import { childOf, childrenOf, textAt, type XmlElement } from '../xml/tree.ts'
import { C14N, DSIG, ENVELOPED, RSA_SHA1, SHA1 } from './sign.ts'

/** What a signature claims, once its shape is known to be the one profile the SII allows. */
export interface SignatureShape {
  readonly element: XmlElement
  readonly signed_info: XmlElement
  /** Empty when it covers the whole document. */
  readonly id: string
  readonly enveloped: boolean
  readonly digest: Buffer
  readonly value: Buffer
  /** The signer's certificate, base64 as written. */
  readonly certificate: string
  /** Others that came with it: the CAs above it, where a signer sends them (the SII asks for the first alone). */
  readonly issuers: readonly string[]
  /** Base64 as written, blanks removed; undefined when the signature has no KeyValue. */
  readonly modulus: string | undefined
}

export type ShapeRule =
  | 'not_a_signature'
  | 'unexpected_content'
  | 'unsupported_algorithm'
  | 'unsupported_transform'
  | 'unsupported_reference'
  | 'missing_certificate'

/**
 * Takes only what the profile needs and refuses the rest: a second reference, an XPath or XSLT transform, an Object
 * with a document of its own, a key by name. Each is harmless in a general verifier and a door in this one.
 */
export function readSignature(element: XmlElement, path: string): Outcome<SignatureShape, ShapeRule> {
  if (element.namespace !== DSIG)
    return refuse('not_a_signature', 'Signature is not in the namespace of XML-DSig.', path)
  const [signed_info, value, key_info] = element.children
  if (names(element) !== 'SignedInfo SignatureValue KeyInfo' || !signed_info || !value || !key_info) {
    return refuse('unexpected_content', `Signature holds ${names(element)}.`, path)
  }
  const reference = childOf(signed_info, 'Reference')
  if (names(signed_info) !== 'CanonicalizationMethod SignatureMethod Reference' || !reference) {
    return refuse('unexpected_content', `SignedInfo holds ${names(signed_info)}.`, `${path}/SignedInfo`)
  }
  if (
    algorithm(signed_info, 'CanonicalizationMethod') !== C14N ||
    algorithm(signed_info, 'SignatureMethod') !== RSA_SHA1
  ) {
    return refuse('unsupported_algorithm', 'Only C14N 1.0 and RSA-SHA1 are allowed.', `${path}/SignedInfo`)
  }
  const referenced = readReference(reference, `${path}/SignedInfo/Reference`)
  if (!referenced.ok) return referenced
  const [certificate, ...issuers] = childrenOf(childOf(key_info, 'X509Data'), 'X509Certificate').map(written)
  if (!certificate) return refuse('missing_certificate', 'KeyInfo has no certificate.', `${path}/KeyInfo`)
  return accept({
    element,
    signed_info,
    ...referenced.value,
    value: Buffer.from(value.text, 'base64'),
    certificate,
    issuers,
    modulus: textAt(key_info, 'KeyValue', 'RSAKeyValue', 'Modulus'),
  })
}

type Referenced = Pick<SignatureShape, 'id' | 'enveloped' | 'digest'>

function readReference(reference: XmlElement, path: string): Outcome<Referenced, ShapeRule> {
  const uri = reference.attributes.URI
  if (uri === undefined || (uri !== '' && !/^#[^#()'"\s]+$/.test(uri))) {
    return refuse('unsupported_reference', `URI ${uri ?? 'is missing'}: only "" and "#ID" are allowed.`, path)
  }
  if (!/^(Transforms )?DigestMethod DigestValue$/.test(names(reference))) {
    return refuse('unexpected_content', `Reference holds ${names(reference)}.`, path)
  }
  if (algorithm(reference, 'DigestMethod') !== SHA1) {
    return refuse('unsupported_algorithm', 'Only SHA-1 is allowed as digest.', path)
  }
  const transforms = childOf(reference, 'Transforms')?.children ?? []
  const [transform] = transforms
  const named = transform?.attributes.Algorithm ?? C14N
  if (transforms.length > 1 || (transform?.children.length ?? 0) > 0 || (named !== C14N && named !== ENVELOPED)) {
    return refuse('unsupported_transform', 'Only one transform, C14N 1.0 or enveloped-signature, is allowed.', path)
  }
  const digest = Buffer.from(textAt(reference, 'DigestValue') ?? '', 'base64')
  return accept({ id: uri.slice(1), enveloped: named === ENVELOPED, digest })
}

const written = ({ text }: XmlElement): string => text.trim()

function names(element: XmlElement): string {
  return element.children.map(({ name }) => name).join(' ')
}

function algorithm(element: XmlElement, name: string): string | undefined {
  return childOf(element, name)?.attributes.Algorithm
}
