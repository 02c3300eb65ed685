import type { ConsumoFolios, LibroCompraVenta, LibroGuia } from '@timbre/dte'
import type { Dte } from '@timbre/dte/draft'
import type { Resolucion } from '@timbre/dte/emission'
import type { NotUnderstood, SectionKind } from '../set/set.ts'

/** What is sent, in the order in which the SII accepts it. */
export interface Plan {
  readonly emisor_rut: string
  readonly resolucion: Resolucion
  readonly steps: readonly PlanStep[]
  /** Sections left out, each with its reasons; the others stand. */
  readonly not_built: readonly NotBuilt[]
  /** While anything is missing there are no steps. */
  readonly missing: readonly MissingInput[]
}

export interface NotBuilt {
  readonly kind: SectionKind
  readonly title: string
  readonly attention: string | null
  readonly line: number
  readonly reasons: readonly NotUnderstood[]
}

/** A section of the set, or the simulation, which comes after it. */
export type StepSection = SectionKind | 'simulacion'

export interface MissingInput {
  /** `folios.33`, `receptores`, `emisor.acteco`. */
  readonly name: string
  readonly why: string
  readonly needed?: number
  readonly given?: number
}

interface StepHead {
  readonly section: StepSection
  readonly attention: string | null
}

/** What is known only when a file is signed. */
type Signing = 'envia_rut' | 'resolucion' | 'tmst_firma'

export interface EnvelopeStep extends StepHead {
  readonly step: 'envelope'
  readonly documents: readonly PlannedDocument[]
}
export interface BookStep extends StepHead {
  readonly step: 'book'
  readonly book: Omit<LibroCompraVenta, Signing>
}
export interface GuiaBookStep extends StepHead {
  readonly step: 'guia_book'
  readonly book: Omit<LibroGuia, Signing>
}
export interface RvdStep extends StepHead {
  readonly step: 'rvd'
  readonly rvd: Omit<ConsumoFolios, Signing>
}
export type PlanStep = EnvelopeStep | BookStep | GuiaBookStep | RvdStep

export interface PlannedDocument {
  readonly case_id: string
  readonly case_number: number
  /** Line of the case in the set; 0 where the set has nothing of it. */
  readonly line: number
  readonly dte: Dte
}
