/** One document of the book. Amounts are whole pesos, positive also for a nota de crédito. */
export interface LibroEntry {
  readonly tipo_doc: number
  readonly folio: number
  readonly annulled?: boolean
  readonly iva_rate?: number
  readonly date: string
  readonly rut: string
  readonly legal_name?: string
  readonly reference?: { readonly tipo_doc: number; readonly folio: number }
  readonly exempt?: number
  readonly net?: number
  readonly iva?: number
  readonly fixed_asset_net?: number
  readonly fixed_asset_iva?: number
  readonly iva_not_recoverable?: readonly { readonly code: number; readonly amount: number }[]
  readonly iva_common_use?: number
  readonly iva_late?: number
  readonly iva_own?: number
  readonly iva_third_parties?: number
  readonly law_18211?: number
  readonly taxes?: readonly { readonly code: number; readonly rate?: number; readonly amount: number }[]
  readonly taxes_without_credit?: number
  readonly iva_withheld_total?: number
  readonly iva_withheld_partial?: number
  readonly construction_credit?: number
  readonly deposit?: number
  readonly total: number
  readonly iva_not_withheld?: number
  readonly non_billable?: number
  readonly period_total?: number
  /** The document belongs in the summary only: boletas are not listed one by one. */
  readonly summary_only?: boolean
}
