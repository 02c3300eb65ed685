import type { Receptor } from '@timbre/dte/draft'
import type { TipoDte } from '@timbre/dte/values'
import type { PlanInputs } from '../plan/inputs.ts'
import type { EnvelopeStep, Plan, PlannedDocument } from '../plan/plan.ts'
import type { CertificationSet } from '../set/set.ts'

/** What the empresa does, as far as its own documents tell. Everything in it is the empresa's: nothing is made up. */
export interface Business {
  /** Documents that it issued, newest first. */
  readonly documents: readonly BusinessDocument[]
  /** Others whom it knows. */
  readonly counterparties: readonly Receptor[]
  /** Products that the taxpayer named when asked. */
  readonly products: readonly Product[]
}

export interface BusinessDocument {
  readonly tipo_dte: TipoDte
  readonly receptor: Receptor
  /** Whether its prices carry IVA. */
  readonly gross_prices?: boolean
  /** IndTraslado of a guía. */
  readonly transfer_type?: number
  readonly items: readonly Product[]
}

export interface Product {
  readonly description: string
  readonly quantity?: number
  readonly unit?: string
  readonly unit_price: number
  readonly exempt?: boolean
  readonly additional_tax?: number
}

export interface SimulationInputs
  extends Pick<PlanInputs, 'emisor' | 'receptores' | 'folios' | 'issue_date' | 'resolucion_date'> {
  /** What is being certified; boletas are certified apart and left out. */
  readonly tipos: readonly TipoDte[]
  /** Its own set de pruebas: its items stand in where the empresa has no business yet. */
  readonly set?: CertificationSet
  /** Another seed draws other documents. By default the RUT of the emisor. */
  readonly seed?: string
}

/** Where the lines of a document come from: documents of the empresa, what its people named, or the set de pruebas. */
export type SimulationSource = 'business' | 'inputs' | 'set'

export interface SimulatedDocument extends PlannedDocument {
  readonly source: SimulationSource
  readonly receptor_source: 'business' | 'inputs' | 'public_body'
}

export interface SimulationStep extends EnvelopeStep {
  readonly section: 'simulacion'
  readonly documents: readonly SimulatedDocument[]
}

/** A plan of one envelope; empty while anything is missing. */
export interface SimulationPlan extends Plan {
  readonly tipos: readonly TipoDte[]
  readonly steps: readonly SimulationStep[]
}
