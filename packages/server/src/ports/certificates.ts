import type { CertificateRule, FitnessRule } from '@timbre/dte'

/** What a certificate says of itself. Instants are ISO 8601 in UTC. */
export interface CertificateFacts {
  readonly holder_rut: string
  readonly holder_name: string
  readonly issuer: string
  readonly serial: string
  readonly not_before: string
  readonly not_after: string
  /** Of the whole certificate, in hexadecimal. */
  readonly fingerprint_sha256: string
}

/** A certificate that can sign, out of its .pfx: neither the file nor its password is needed again. */
export interface OpenedPfx {
  readonly facts: CertificateFacts
  /** PKCS#8, DER. */
  readonly key: Uint8Array
  /** X.509, DER: of the holder first, then the issuers that came with it. */
  readonly certificates: readonly Uint8Array[]
}

export interface RefusedPfx {
  readonly reason: CertificateRule | FitnessRule | 'too_costly'
  readonly message: string
}

/** Opens the certificates that callers upload: what a file asks for is its sender's to say, so it is kept off the event loop. */
export interface Certificates {
  /** Those of one account are opened one after the other: no account keeps the others waiting. */
  open(account_id: string, file: Uint8Array, password: string, at: Date): Promise<OpenedPfx | RefusedPfx>
  close(): Promise<void>
}
