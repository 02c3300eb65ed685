import type { LibroEntry } from './entry.ts'

type Amount = Exclude<
  { [Key in keyof LibroEntry]-?: Required<LibroEntry>[Key] extends number ? Key : never }[keyof LibroEntry],
  'tipo_doc' | 'folio'
>

/** Amounts of a line between its lists, in the order of LibroCV_v10.xsd. */
export const AMOUNTS_BEFORE_TAXES: readonly (readonly [string, Amount])[] = [
  ['IVAUsoComun', 'iva_common_use'],
  ['IVAFueraPlazo', 'iva_late'],
  ['IVAPropio', 'iva_own'],
  ['IVATerceros', 'iva_third_parties'],
  ['Ley18211', 'law_18211'],
]

export const AMOUNTS_AFTER_TAXES: readonly (readonly [string, Amount])[] = [
  ['MntSinCred', 'taxes_without_credit'],
  ['IVARetTotal', 'iva_withheld_total'],
  ['IVARetParcial', 'iva_withheld_partial'],
  ['CredEC', 'construction_credit'],
  ['DepEnvase', 'deposit'],
]

export const AMOUNTS_AFTER_TOTAL: readonly (readonly [string, Amount])[] = [
  ['IVANoRetenido', 'iva_not_withheld'],
  ['MntNoFact', 'non_billable'],
  ['MntPeriodo', 'period_total'],
]

/** A total of the period: its element, the field it adds, and whether it counts the documents that have it. */
export interface TotalRow {
  readonly xml: string
  readonly of: Amount
  readonly counts?: true
}

export const TOTALS_BEFORE_LISTS: readonly TotalRow[] = [
  { xml: 'TotOpActivoFijo', of: 'fixed_asset_net', counts: true },
  { xml: 'TotMntActivoFijo', of: 'fixed_asset_net' },
  { xml: 'TotMntIVAActivoFijo', of: 'fixed_asset_iva' },
]

export const TOTALS_BEFORE_TAXES: readonly TotalRow[] = [
  { xml: 'TotIVAFueraPlazo', of: 'iva_late' },
  { xml: 'TotIVAPropio', of: 'iva_own' },
  { xml: 'TotIVATerceros', of: 'iva_third_parties' },
  { xml: 'TotLey18211', of: 'law_18211' },
]

export const TOTALS_AFTER_TAXES: readonly TotalRow[] = [
  { xml: 'TotImpSinCredito', of: 'taxes_without_credit' },
  { xml: 'TotOpIVARetTotal', of: 'iva_withheld_total', counts: true },
  { xml: 'TotIVARetTotal', of: 'iva_withheld_total' },
  { xml: 'TotOpIVARetParcial', of: 'iva_withheld_partial', counts: true },
  { xml: 'TotIVARetParcial', of: 'iva_withheld_partial' },
  { xml: 'TotCredEC', of: 'construction_credit' },
  { xml: 'TotDepEnvase', of: 'deposit' },
]

export const TOTALS_AFTER_TOTAL: readonly TotalRow[] = [
  { xml: 'TotOpIVANoRetenido', of: 'iva_not_withheld', counts: true },
  { xml: 'TotIVANoRetenido', of: 'iva_not_withheld' },
  { xml: 'TotMntNoFact', of: 'non_billable' },
  { xml: 'TotMntPeriodo', of: 'period_total' },
]
