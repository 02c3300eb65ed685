import type { FailureCode } from '../kernel/job.ts'
import type { EmpresaScope } from '../kernel/scope.ts'
import type { SiiDocument } from './sii-document.ts'

/** Which document is asked about, and when, by the clock of its empresa. */
export interface CesionQuestion {
  readonly empresa: EmpresaScope
  readonly document: SiiDocument
  /** When the SII received the document: the receptor's eight days run from there. */
  readonly sent_at: Date
  readonly at: Date
}

export interface CesionOrder extends CesionQuestion {
  readonly cesionario_rut: string
  /** The signed AEC, in ISO-8859-1. */
  readonly aec: Uint8Array
  /** Where the register writes what it decided. */
  readonly notify_email: string
}

/** What the register gives for a cesión, or why it would not take it: then nothing of it is there. */
export type CesionReceipt =
  | { readonly track_id: string; readonly ask_at: Date }
  | { readonly refused: { readonly code: FailureCode; readonly message: string } }

/** The register of transferable credits of the SII, and what it knows of the receptor's answer. */
export interface SiiRegister {
  /** Whether the receptor lets a document be ceded: a code of 20 to 25 and its words (consultarDocDteCedible). */
  cedibilityOf(question: CesionQuestion): Promise<{ readonly code: string; readonly glosa: string }>
  /** Hands a cesión over. */
  cede(order: CesionOrder): Promise<CesionReceipt>
  /**
   * What became of it: the state of its envelope, and when to ask again while that is not the last one. Without a track
   * id, what the register says of the document itself.
   */
  cesionStateOf(
    question: CesionQuestion & { readonly cesionario_rut: string; readonly track_id: string | null },
  ): Promise<{
    readonly estado: string
    readonly glosa: string
    readonly ask_at: Date | null
    /** Set where it has neither the envelope nor a cesión of the document, though it took one. */
    readonly is_unknown?: boolean
  }>
  /** Whether it holds a cesión that we signed and do not know to have arrived; null as track id where it does not tell. */
  findCesion(
    question: CesionQuestion & { readonly cesionario_rut: string },
  ): Promise<{ readonly track_id: string | null } | null>
}
