import type { Dte, PricedItem, Totals } from '../document/document.ts'
import { isUnissuedTipo, type UnissuedTipo } from './tipos.ts'

type Optional<T> = T | undefined

/** What the mandatario of a liquidación keeps for itself (Comisiones y Otros Cargos). */
export interface Commission {
  readonly kind: 'commission' | 'other'
  readonly description: string
  readonly rate?: Optional<number>
  readonly net: number
  readonly exempt: number
  readonly iva?: Optional<number>
}

/** Codes of the customs (Servicio Nacional de Aduanas, Compendio de Normas, anexo 51). */
export interface Customs {
  readonly sale_mode?: Optional<number>
  readonly sale_clause?: Optional<number>
  readonly clause_total?: Optional<number>
  readonly transport?: Optional<number>
  readonly transport_name?: Optional<string>
  readonly carrier?: Optional<string>
  readonly booking?: Optional<string>
  readonly loading_port?: Optional<number>
  readonly landing_port?: Optional<number>
  readonly gross_weight?: Optional<number>
  readonly gross_weight_unit?: Optional<number>
  readonly net_weight?: Optional<number>
  readonly net_weight_unit?: Optional<number>
  readonly packages?: Optional<number>
  readonly freight?: Optional<number>
  readonly insurance?: Optional<number>
  readonly receptor_country?: Optional<number>
  readonly destination_country?: Optional<number>
}

/** The amounts of an export in another currency, mostly in pesos. */
export interface OtherCurrency {
  readonly currency: string
  readonly exchange_rate?: Optional<number>
  readonly exempt?: Optional<number>
  readonly total: number
}

export interface UnissuedItem extends PricedItem {
  /** Tipo of the documents that a line of a liquidación settles. */
  readonly settled_type?: Optional<string>
}

/** Amounts of an export are of its currency, with up to four decimals; the rest are whole pesos. */
export interface UnissuedTotals extends Totals {
  /** As the SII names it: `DOLAR USA`, `PESO CL`. Exports only. */
  readonly currency?: Optional<string>
  readonly commissions?: Optional<{
    readonly net?: Optional<number>
    readonly exempt?: Optional<number>
    readonly iva?: Optional<number>
  }>
}

export interface UnissuedDte extends Omit<Dte, 'tipo_dte' | 'items' | 'totals'> {
  readonly tipo_dte: UnissuedTipo
  readonly items: readonly UnissuedItem[]
  readonly totals: UnissuedTotals
  readonly commissions?: Optional<readonly Commission[]>
  readonly customs?: Optional<Customs>
  readonly other_currency?: Optional<OtherCurrency>
  /** FmaPagExp: how the buyer abroad pays, by the code of the customs. */
  readonly export_payment?: Optional<number>
}

/** A document of any tipo that is read and printed. */
export type AnyDte = Dte | UnissuedDte

export function isUnissued(dte: AnyDte): dte is UnissuedDte {
  return isUnissuedTipo(dte.tipo_dte)
}

const PESOS = 'PESO CL'

/** The exempt part and the total of an export in whole pesos, by its own words; null when it does not tell them. */
export function pesosOfExport({
  totals,
  other_currency,
}: Pick<UnissuedDte, 'totals' | 'other_currency'>): { readonly exempt: number; readonly total: number } | null {
  if (totals.currency === PESOS)
    return { exempt: Math.round(totals.exempt ?? totals.total), total: Math.round(totals.total) }
  if (other_currency?.currency !== PESOS) return null
  const { exempt, total } = other_currency
  return { exempt: Math.round(exempt ?? total), total: Math.round(total) }
}
