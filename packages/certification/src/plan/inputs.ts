import type { Emisor, Receptor } from '@timbre/dte/draft'
import type { TipoDte } from '@timbre/dte/values'
import type { SectionKind } from '../set/set.ts'
import type { PlanStep } from './plan.ts'

/** What the set does not say and only the taxpayer knows. Whatever is missing is asked for by its name. */
export interface PlanInputs {
  readonly emisor?: Emisor
  /** Distinct taxpayers to address the documents to; they also stand for the suppliers of the purchases book. */
  readonly receptores?: readonly Receptor[]
  /** Folios to use of each tipo, in order. A set that was refused is run again with fresh ones. */
  readonly folios?: Partial<Record<TipoDte, readonly number[]>>
  /** Date of every document, `YYYY-MM-DD`; its month is the period of the books. */
  readonly issue_date?: string
  /** Period (`YYYY-MM`) of a book that is not of the documents' month: the SII takes one whole book of a period and no second. */
  readonly book_periods?: Partial<Record<SectionKind, string>>
  /** What was sent before and stands: it is not planned again, and books are made of it as it is. */
  readonly kept?: readonly PlanStep[]
  /** Date of the company's authorisation in the certification environment, whose number is 0. */
  readonly resolucion_date?: string
  /** Asked for only when the set has purchases of common use and gives no factor. */
  readonly common_use_factor?: number
  /** The factura that billed the guía which the set calls invoiced; by default the first factura of the basic set. */
  readonly invoiced_guia?: { readonly tipo_doc: number; readonly folio: number; readonly date: string }
}

/** Hands the folios of each tipo out in their order, each once. There are enough of them. */
export function folioDispenser(folios: PlanInputs['folios'] = {}): (tipo_dte: TipoDte) => number {
  const left = new Map<number, number[]>()
  for (const [tipo, given] of Object.entries(folios)) left.set(Number(tipo), [...new Set(given)])
  return (tipo_dte) => left.get(tipo_dte)?.shift() as number
}
