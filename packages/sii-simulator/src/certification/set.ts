/** A set of tests as the SII hands it out: what it asks for, and so what it looks for in what comes back. */

export type SectionKind =
  | 'basico'
  | 'ventas'
  | 'compras'
  | 'guias'
  | 'libro_guias'
  | 'exenta'
  | 'compra'
  | 'boletas'
  | 'boletas_exentas'

export interface Item {
  readonly name: string
  /** Null: the case does not tell, as where a note only changes an amount. */
  readonly quantity: number | null
  readonly unit: string | null
  /** Null: it is that of the case referred to, or the goods only travel. */
  readonly price: number | null
  /** Percent of the line. */
  readonly discount: number | null
  readonly exempt: boolean
}

/** `CodRef`: 1 annuls, 2 corrects text, 3 corrects amounts. */
export interface CaseReference {
  readonly case: number
  readonly reason: string
  readonly code: 1 | 2 | 3
}

export interface Transfer {
  readonly motivo: string
  /** Who carries the goods, in the words of the set; null where it does not tell. */
  readonly carried_by: string | null
  /** `IndTraslado` and `TipoDespacho` that these words mean. */
  readonly kind: number
  readonly despacho: number | null
}

/** A nota de crédito about a boleta: of all of it (`CodRef` 1), or of so many percent (3). */
export interface Correction {
  readonly code: 1 | 3
  readonly percent: number
}

export interface Case {
  readonly number: number
  readonly tipo: number
  readonly items: readonly Item[]
  /** Percent over the taxed lines. */
  readonly global_discount: number | null
  readonly reference: CaseReference | null
  readonly transfer: Transfer | null
  /** Of a boleta: what is done to it afterwards. */
  readonly correction?: Correction
}

/** A line of the purchases of the set. */
export interface PurchaseRow {
  readonly name: string
  readonly tipo: number
  readonly folio: number
  readonly observation: string
  readonly treatment: 'giro' | 'uso_comun' | 'gratuita' | 'retencion'
  readonly exempt: number | null
  readonly taxed: number
}

export interface Section {
  readonly kind: SectionKind
  readonly attention: number
  readonly cases: readonly Case[]
  readonly purchases: readonly PurchaseRow[]
  /** Factor of proportionality of the IVA of common use, in hundredths. */
  readonly factor: number
}

export interface TestSet {
  readonly rut: string
  /** Which set of this company it is, from 1. */
  readonly request: number
  readonly made_at: number
  /** Two months after it was handed out it is worth nothing (SII, manual de certificación). */
  readonly expires_at: number
  readonly sections: readonly Section[]
}

export const BOOKS: readonly SectionKind[] = ['ventas', 'compras', 'libro_guias']

export function caseName(section: Section, number: number): string {
  return section.kind === 'boletas' || section.kind === 'boletas_exentas'
    ? `CASO-${number}`
    : `CASO ${section.attention}-${number}`
}

export const boletaLabel = (tipo: number) => `SET DE BOLETA ${tipo}`

export function sectionOf(set: TestSet | null, kind: SectionKind): Section | null {
  return set?.sections.find((section) => section.kind === kind) ?? null
}
