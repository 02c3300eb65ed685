import { createHash, createVerify } from 'node:crypto'
import type { ReadCertificate, SignerCertificate } from './certificate.ts'
import { canonical, type Namespaces, namespacesInScope } from './xml/canonical.ts'
import { attribute, child, find, text, type XmlNode } from './xml/node.ts'

const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const RSA_SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
const SII = 'http://www.sii.cl/SiiDte'

export type SignatureFault =
  | 'absent'
  | 'algorithm'
  | 'reference'
  | 'transform'
  | 'digest'
  | 'certificate'
  | 'key_value'
  | 'signature_value'

export type CheckedSignature =
  | { ok: true; signer: SignerCertificate; value: string }
  | { ok: false; fault: SignatureFault }

/** What stands around the signed element and the `SignedInfo` when the SII writes them as Canonical XML. */
interface Surroundings {
  signed: Namespaces
  info: Namespaces
}

/** Checks a signature where it stands, with all that the envelope declares in scope: `xmlns` and `xmlns:xsi`. */
export function checkInPlace(
  signature: XmlNode | undefined,
  signed: XmlNode | undefined,
  read: ReadCertificate,
): CheckedSignature {
  if (signature === undefined || signed === undefined) return { ok: false, fault: 'absent' }
  const around = { signed: namespacesInScope(signed), info: namespacesInScope(signature) }
  return checkOne(signature, signed, [around], read)
}

/**
 * Checks the signature of a `DTE`, `DTECedido`, `Cesion` or `Recibo` as the SII does: taken out of its envelope, which
 * leaves `xmlns:xsi` behind. What it signs is tried with the SII's default namespace and then with none at all: both
 * are found in documents that the SII has accepted.
 */
export function checkAlone(
  holder: XmlNode,
  signature: XmlNode | undefined,
  signed: XmlNode | undefined,
  read: ReadCertificate,
): CheckedSignature {
  if (signature === undefined || signed === undefined) return { ok: false, fault: 'absent' }
  const bare = new Map(holder.declared)
  bare.delete('')
  const named = new Map([...bare, ['', SII]])
  return checkOne(
    signature,
    signed,
    [
      { signed: named, info: named },
      { signed: bare, info: bare },
    ],
    read,
  )
}

function checkOne(
  signature: XmlNode,
  signed: XmlNode,
  ways: readonly Surroundings[],
  read: ReadCertificate,
): CheckedSignature {
  const info = child(signature, 'SignedInfo')
  const reference = child(info, 'Reference')
  if (info === undefined || reference === undefined) return { ok: false, fault: 'absent' }
  if (attribute(child(info, 'SignatureMethod'), 'Algorithm') !== RSA_SHA1) return { ok: false, fault: 'algorithm' }
  if (attribute(reference, 'URI') !== `#${attribute(signed, 'ID')}`) return { ok: false, fault: 'reference' }
  const transform = attribute(find(reference, 'Transforms', 'Transform'), 'Algorithm')
  const known = transform === null || transform === C14N || transform === ENVELOPED
  if (!known) return { ok: false, fault: 'transform' }

  const digest = packed(text(reference, 'DigestValue'))
  const way = ways.find(({ signed: around }) => sha1(canonical(signed, around)) === digest)
  if (way === undefined) return { ok: false, fault: 'digest' }

  const key_info = child(signature, 'KeyInfo')
  const signer = read(packed(text(key_info, 'X509Data', 'X509Certificate')))
  if (signer === null) return { ok: false, fault: 'certificate' }
  const pair = find(key_info, 'KeyValue', 'RSAKeyValue')
  if (!same(text(pair, 'Modulus'), signer.modulus) || !same(text(pair, 'Exponent'), signer.exponent))
    return { ok: false, fault: 'key_value' }
  const value = packed(text(signature, 'SignatureValue'))
  const bytes = Buffer.from(value, 'base64')
  // `SignedInfo` stands inside `Signature`, which declares its own default namespace.
  const around = new Map([...way.info, ...signature.declared])
  const verified = createVerify('RSA-SHA1').update(canonical(info, around), 'utf8').verify(signer.key, bytes)
  return verified ? { ok: true, signer, value } : { ok: false, fault: 'signature_value' }
}

function sha1(value: string): string {
  return createHash('sha1').update(value, 'utf8').digest('base64')
}

/** Base64 without the line ends that many write into it. */
export function packed(value: string | null): string {
  return (value ?? '').replace(/\s+/g, '')
}

/** The same number, in base64 with padding (and perhaps a leading zero byte) and as a JSON Web Key writes it. */
function same(written: string | null, jwk: string): boolean {
  const bytes = Buffer.from(packed(written), 'base64')
  let from = 0
  while (from < bytes.length - 1 && bytes[from] === 0) from++
  return bytes.subarray(from).toString('base64url') === jwk
}
