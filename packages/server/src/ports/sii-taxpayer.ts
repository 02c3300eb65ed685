import type { Signer } from '@timbre/dte/emission'
import type { EmpresaScope } from '../kernel/scope.ts'

/** What the SII publishes of a taxpayer that may issue electronic documents with software of its own. */
export interface Authorisation {
  readonly resolucion: { readonly numero: number; readonly fecha: string }
  /** Tipos that it may issue today. */
  readonly tipos: readonly number[]
}

/** The holder of a certificate that is in nobody's custody, for one question. It lives in memory alone. */
export interface CertificateHolder {
  readonly rut: string
  readonly fingerprint: string
  readonly signer: Signer
  /** PEM: the holder's certificate with its issuers, and the key. */
  readonly tls: { readonly cert: string; readonly key: string }
}

/** What the SII knows of a taxpayer and its people, asked while they are on their way to emit. */
export interface SiiTaxpayer {
  /** Null where the taxpayer may issue nothing. */
  authorisationOf(question: { readonly rut: string; readonly on: string }): Promise<Authorisation | null>
  /**
   * Whether the person of the certificate in custody may work for the empresa on the free portal; null where the SII does
   * not say: it asks whoever has a single company nothing.
   */
  worksOnPortal(question: { readonly empresa: EmpresaScope }): Promise<boolean | null>
  /** Whether it lets the holder of a certificate act for a taxpayer; null where it does not say. */
  recognises(question: { readonly rut: string; readonly holder: CertificateHolder }): Promise<boolean | null>
}
