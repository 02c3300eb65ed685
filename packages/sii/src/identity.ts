import type { KeyObject } from 'node:crypto'
import type { Signer } from '@timbre/dte'
import type { Ambiente } from './hosts.ts'

/** The person that talks to the SII, by its certificate. Lives in memory for the act and is never written anywhere. */
export interface Identity {
  /** Of the holder: the SII calls it the sender (`rutSender`). */
  readonly rut: string
  /** SHA-256 of the certificate, in hex: tokens, sessions and connections are kept by it. */
  readonly fingerprint: string
  readonly signer: Signer
  /** For the portal, which asks for the certificate in the TLS handshake: leaf first, then its issuers (PEM). */
  readonly tls: { readonly cert: string; readonly key: KeyObject | string }
}

/** Who asks, and in which environment. */
export interface Caller {
  readonly identity: Identity
  readonly ambiente: Ambiente
}
