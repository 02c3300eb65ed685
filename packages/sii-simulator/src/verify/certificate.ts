import { type KeyObject, X509Certificate } from 'node:crypto'
import { santiagoDate } from '@timbre/dte/wire'
import { rutOf } from '../authority/trust.ts'

/** The certificate inside a signature, with what the SII looks at. */
export interface SignerCertificate {
  key: KeyObject
  /** Of the holder; null when the certificate does not tell. */
  rut: string | null
  /** Modulus and exponent as a JSON Web Key has them, to compare with the `KeyValue` beside the certificate. */
  modulus: string
  exponent: string
  /** Issued by one of the trusted authorities. */
  accredited: boolean
  /** Civil dates in Santiago. */
  valid_from: string
  valid_to: string
}

/** Base64 of the DER to what it says; null when it is no certificate. */
export type ReadCertificate = (base64: string) => SignerCertificate | null

/** Real files bring a handful of certificates, each in every document: the last ones are remembered. */
const REMEMBERED = 1000
/** Far longer than a certificate is. */
const LONGEST = 16_384

export function openTrust(trusted_ca: readonly string[]): ReadCertificate {
  const authorities = trusted_ca.map((pem) => new X509Certificate(pem))
  const known = new Map<string, SignerCertificate | null>()
  return (base64) => {
    if (base64.length > LONGEST) return null
    const remembered = known.get(base64)
    if (remembered !== undefined) return remembered
    const read = readOne(base64, authorities)
    if (known.size >= REMEMBERED) known.clear()
    known.set(base64, read)
    return read
  }
}

function readOne(base64: string, authorities: readonly X509Certificate[]): SignerCertificate | null {
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'))
    const key = certificate.publicKey
    const { kty, n, e } = key.export({ format: 'jwk' })
    if (kty !== 'RSA' || n === undefined || e === undefined) return null
    return {
      key,
      rut: rutOf(certificate),
      modulus: n,
      exponent: e,
      accredited: authorities.some((ca) => certificate.checkIssued(ca) && certificate.verify(ca.publicKey)),
      valid_from: santiagoDate(new Date(certificate.validFrom)),
      valid_to: santiagoDate(new Date(certificate.validTo)),
    }
  } catch {
    return null
  }
}
