import type { DteDraft } from '@timbre/dte/draft'
import type { Caf, Signer } from '@timbre/dte/emission'

/** Documents of one CAF that are stamped and signed by one person at one instant. */
export interface SigningOrder {
  readonly caf: Caf
  readonly signer: Signer
  /** Local time of Santiago, `AAAA-MM-DDTHH:MM:SS`. */
  readonly at: string
  readonly documents: readonly { readonly id: string; readonly draft: DteDraft; readonly folio: number }[]
}

/** The file of a document, as bytes of ISO-8859-1, or why it cannot be built. One that cannot be fails alone. */
export type SigningResult =
  | { readonly id: string; readonly xml: Uint8Array }
  | { readonly id: string; readonly refusal: string }

/** Builds, stamps and signs: pure computing, milliseconds of RSA for each document, kept off the event loop. */
export interface Signing {
  /** Owners take turns: the batch of one does not wait for all of another's. */
  sign(order: SigningOrder, owner?: string): Promise<readonly SigningResult[]>
  close(): Promise<void>
}
