import type { RegisterAction } from '../catalog/reception.ts'
import type { EmpresaScope } from '../kernel/scope.ts'
import type { SiiDocument } from './sii-document.ts'

/** A document that a supplier issued to the empresa, as the SII knows it. */
export interface SupplierDocument {
  readonly emisor_rut: string
  readonly tipo_dte: number
  readonly folio: number
  /** When the SII received it. It knows by itself; the sandbox keeps no books of its own. */
  readonly sii_received_at: Date
}

/** What a receptor registered about a document of the empresa. */
export interface RegisteredAnswer {
  readonly action: RegisterAction
  /** Who acted for the receptor, where the register tells. */
  readonly person_rut: string | null
  readonly at: Date
}

/** The register of acceptance and claims of the SII (Ley 19.983 as changed by Ley 20.956). */
export interface SiiClaims {
  /**
   * Registers what the receptor says of a document. Its code and its own words: 0 is done and 7 was done before, any
   * other one means that nothing was registered.
   */
  respondTo(answer: {
    readonly empresa: EmpresaScope
    readonly document: SupplierDocument
    readonly action: RegisterAction
    readonly at: Date
  }): Promise<{ readonly code: number; readonly sentence: string }>
  /** What receptors registered about documents of the empresa (listarEventosHistDoc), by our id; none is absent. */
  answersTo(question: {
    readonly empresa: EmpresaScope
    readonly documents: readonly SiiDocument[]
    readonly at: Date
  }): Promise<ReadonlyMap<string, readonly RegisteredAnswer[]>>
}
