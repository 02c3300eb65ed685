import type { ReferenceCode } from '@timbre/dte/draft'
import type { TipoDte } from '@timbre/dte/values'

/** Kinds of set that the SII hands out. `unknown` holds text that belongs to none of them. */
export type SectionKind =
  | 'basico'
  | 'guias'
  | 'exenta'
  | 'compra'
  | 'boletas'
  | 'libro_ventas'
  | 'libro_compras'
  | 'libro_guias'
  | 'exportacion'
  | 'unknown'

/** A set as it came: plain values, so that it can be stored and shown. Lines are counted from 1. */
export interface CertificationSet {
  readonly sections: readonly Section[]
  /** What the SII tells everybody before the first section; shown, never acted upon. */
  readonly general: readonly string[]
}

export interface Section {
  readonly kind: SectionKind
  readonly title: string
  /** NUMERO DE ATENCION; null where the layout has none (boletas). */
  readonly attention: string | null
  readonly line: number
  readonly cases: readonly Case[]
  /** Rows of a purchases book. */
  readonly purchases: readonly PurchaseRow[]
  /** What a book of guías says of its cases. */
  readonly guia_marks: readonly GuiaMark[]
  /** Share of the IVA of common use that gives credit, such as 0.6. */
  readonly common_use_factor?: number
  /** Advice of the SII about this section; shown, never acted upon. */
  readonly instructions: readonly string[]
  /** Nothing of a section is built while this is not empty. */
  readonly not_understood: readonly NotUnderstood[]
}

export interface NotUnderstood {
  readonly line: number
  readonly text: string
  readonly why: string
}

export interface Case {
  /** `414175-1`; a boleta's is its number alone. */
  readonly id: string
  readonly number: number
  /** What the reference to the set says: `CASO 414175-1`, in boletas `CASO-1`. */
  readonly label: string
  readonly line: number
  readonly tipo_dte: TipoDte
  readonly items: readonly CaseItem[]
  readonly global_discounts: readonly GlobalDiscount[]
  readonly reference?: CaseReference
  /** IndTraslado and TipoDespacho of a guía, with the words that ask for them. */
  readonly transfer?: { readonly transfer_type: 1 | 5; readonly motive: string }
  readonly dispatch?: { readonly dispatch_type: 1 | 2; readonly carried_by: string }
  /** Boletas: a nota de crédito annuls it, or lowers it by a percentage. */
  readonly boleta_note?: { readonly annul: true } | { readonly lower_percent: number }
}

export interface CaseItem {
  readonly line: number
  readonly name: string
  readonly quantity?: number
  readonly unit?: string
  readonly unit_price?: number
  readonly discount_percent?: number
  readonly exempt: boolean
}

/** DESCUENTO GLOBAL ITEMES AFECTOS: it never touches an exempt item. */
export interface GlobalDiscount {
  readonly line: number
  readonly percent: number
}

export interface CaseReference {
  readonly line: number
  readonly tipo_dte: TipoDte
  readonly case_id: string
  /** CodRef, and RAZON REFERENCIA as written. */
  readonly code: ReferenceCode
  readonly reason: string
}

/** How the IVA of a purchase is used, by the observation of its row. */
export type PurchaseUse = 'giro' | 'common_use' | 'free_delivery' | 'full_withholding' | 'note'

export interface PurchaseRow {
  readonly line: number
  /** By the SII's table, paper documents included: 30 is a factura on paper. */
  readonly tipo_doc: number
  readonly folio: number
  readonly use: PurchaseUse
  readonly observation: string
  readonly exempt: number
  readonly taxed: number
  /** The row that a note corrects. */
  readonly corrects?: { readonly tipo_doc: number; readonly folio: number }
}

export interface GuiaMark {
  readonly line: number
  readonly case_number: number
  readonly mark: 'invoiced' | 'annulled'
}
