import type { Dte } from '@timbre/dte'
import type { EmpresaScope } from '../kernel/scope.ts'
import type { SiiDocument, SiiVerdict } from './sii-document.ts'

/** A document to be issued on the free portal of the SII, which numbers, stamps and signs it itself. */
export interface PortalOrder {
  readonly empresa: EmpresaScope
  /** Ours. An order that comes again under it is the same order. */
  readonly document_id: string
  /** Priced: the totals are ours. */
  readonly document: Omit<Dte, 'folio'>
}

export type PortalAnswer =
  /** With the folio that the SII gave and the DTE as it signed it, in ISO-8859-1. */
  | { readonly issued: true; readonly folio: number; readonly xml: Uint8Array }
  /** It was not issued: the SII's own sentence, untranslated. */
  | { readonly issued: false; readonly reason: PortalRefusal; readonly sentence: string }

export type PortalRefusal =
  /** The form, or what was sent, is not to its liking. */
  | 'refused'
  /** The person does not work for the company there. */
  | 'person_not_authorised'
  /** The password is not that of the certificate that the person keeps at the SII, or there is no certificate. */
  | 'credential_refused'

/** What the SII says of a document of the portal. */
export interface PortalStanding {
  /** Null while it says nothing that decides. */
  readonly verdict: SiiVerdict | null
  /** Its words, where it has the document with other data than it was asked about: somebody has to look. */
  readonly doubted: { readonly estado: string; readonly glosa: string | null } | null
}

/** The free portal. It issues one document at a time. */
export interface SiiPortal {
  /**
   * Issues a document, once: after an end that was not seen, it is looked for first. While that cannot be told the SII
   * counts as unreachable.
   */
  issue(order: PortalOrder): Promise<PortalAnswer>
  /** What became of a document that it issued. */
  statusOf(question: { readonly empresa: EmpresaScope; readonly document: SiiDocument }): Promise<PortalStanding>
}
