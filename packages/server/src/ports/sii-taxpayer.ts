import type { EmpresaScope } from '../kernel/scope.ts'

/** What the SII publishes of a taxpayer that may issue electronic documents with software of its own. */
export interface Authorisation {
  readonly resolucion: { readonly numero: number; readonly fecha: string }
  /** Tipos that it may issue today. */
  readonly tipos: readonly number[]
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
}
