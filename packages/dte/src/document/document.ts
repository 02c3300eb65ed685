import type { TipoDte } from './tipos.ts'

/**
 * A DTE as a plain value. Field names are those of the API; the names of the SII's schema live in `fields.ts` alone.
 * Amounts are whole pesos; `quantity` has up to 6 decimals and `unit_price` up to 4. Dates are `YYYY-MM-DD`, civil
 * days in America/Santiago. RUTs are canonical: `76543210-3`.
 */

type Optional<T> = T | undefined

export interface Address {
  readonly street?: Optional<string>
  readonly comuna?: Optional<string>
  readonly city?: Optional<string>
}

export interface Emisor {
  readonly rut: string
  readonly legal_name: string
  readonly giro?: Optional<string>
  /** Economic activities, one to four. Not written in boletas. */
  readonly acteco?: Optional<readonly number[]>
  readonly address?: Optional<Address>
  readonly phones?: Optional<readonly string[]>
  readonly email?: Optional<string>
  /** Name of the branch, and the code the SII gave it. */
  readonly branch?: Optional<string>
  readonly codigo_sucursal?: Optional<number>
  readonly seller?: Optional<string>
}

export interface Receptor {
  readonly rut: string
  readonly legal_name?: Optional<string>
  readonly giro?: Optional<string>
  readonly address?: Optional<Address>
  readonly postal_address?: Optional<Address>
  readonly email?: Optional<string>
  /** Written in boletas only; a DTE carries the telephone inside `contact`. */
  readonly phone?: Optional<string>
  readonly contact?: Optional<string>
  /** The emitter's own code for the receptor. */
  readonly code?: Optional<string>
  readonly foreign?: Optional<Foreign>
}

export interface Foreign {
  readonly id?: Optional<string>
  /** Customs code of the country. */
  readonly nationality?: Optional<string>
}

/** `{ percent }` or `{ amount }`, never both. */
export interface LineAdjustment {
  readonly percent?: Optional<number>
  readonly amount?: Optional<number>
}

/** What a line is when it is not a plain sale (IndExe 2 to 6). */
export type Billing = 'non_billable' | 'container_deposit' | 'not_a_sale' | 'to_deduct' | 'non_billable_negative'

/** Bases that some taxes use in place of the line's amount. */
export interface RetentionAgent {
  readonly slaughter_base?: Optional<number>
  readonly margin?: Optional<number>
  readonly consumer_price?: Optional<number>
}

export interface ItemCode {
  readonly type: string
  readonly value: string
}

export interface Item {
  readonly description: string
  readonly detail?: Optional<string>
  readonly quantity?: Optional<number>
  readonly unit?: Optional<string>
  readonly unit_price?: Optional<number>
  readonly exempt?: Optional<boolean>
  readonly billing?: Optional<Billing>
  readonly discount?: Optional<LineAdjustment>
  readonly surcharge?: Optional<LineAdjustment>
  readonly code?: Optional<ItemCode>
  /** SII code of an additional or withheld tax. */
  readonly additional_tax?: Optional<number>
  readonly retention_agent?: Optional<RetentionAgent>
}

export interface PricedItem extends Item {
  readonly discount_amount?: Optional<number>
  readonly surcharge_amount?: Optional<number>
  readonly amount: number
}

export type AppliesTo = 'taxed' | 'exempt' | 'non_billable'

/** A discount or surcharge over the whole document: `{ percent }` or `{ amount }`. */
export interface GlobalAdjustment extends LineAdjustment {
  /** `taxed` by default; `exempt` in the tipos that carry no IVA. */
  readonly applies_to?: Optional<AppliesTo>
  readonly reason?: Optional<string>
}

export interface PricedAdjustment extends GlobalAdjustment {
  /** Pesos that it moved. */
  readonly applied: number
}

export type ReferenceCode = 1 | 2 | 3

export interface Reference {
  /** A tax document by its number, or any other kind by its code (`801`, `SET`). */
  readonly tipo_dte?: Optional<number>
  readonly document_type?: Optional<string>
  /** Left out only when `global` is true. */
  readonly folio?: Optional<string | number>
  readonly date?: Optional<string>
  /** 1 annuls, 2 corrects text, 3 corrects amounts. */
  readonly code?: Optional<ReferenceCode>
  readonly reason?: Optional<string>
  /** The reference stands for many documents of its kind. */
  readonly global?: Optional<boolean>
  /** Emitter of the referenced document when it is somebody else. */
  readonly emisor_rut?: Optional<string>
  /** Boletas only: their reference code is free text, and they name who sold and at which till. */
  readonly text_code?: Optional<string>
  readonly seller?: Optional<string>
  readonly till?: Optional<string>
}

export interface Driver {
  readonly rut: string
  readonly name: string
}

export interface Dispatch {
  readonly dispatch_type?: Optional<number>
  readonly transfer_type?: Optional<number>
  readonly driver?: Optional<Driver>
  readonly carrier_rut?: Optional<string>
  readonly plate?: Optional<string>
  readonly destination?: Optional<Address>
  /** Printed, and not part of the XML: the SII's schema has no place for these four. */
  readonly trailer_plate?: Optional<string>
  readonly origin?: Optional<Address>
  readonly departure_at?: Optional<string>
  readonly estimated_delivery_at?: Optional<string>
}

export type PaymentForm = 'cash' | 'credit' | 'free'
export type PaymentMethod = 'cash' | 'card' | 'transfer' | 'check' | 'postdated_check' | 'bill_of_exchange' | 'other'

export interface Instalment {
  readonly date: string
  readonly amount: number
  readonly note?: Optional<string>
}

export interface Payment {
  readonly form?: Optional<PaymentForm>
  /** When it was paid, if it was before the document was issued. */
  readonly paid_on?: Optional<string>
  readonly due_date?: Optional<string>
  readonly method?: Optional<PaymentMethod>
  readonly terms?: Optional<string>
  readonly instalments?: Optional<readonly Instalment[]>
}

export interface Period {
  readonly from?: Optional<string>
  readonly to?: Optional<string>
}

/** A tax whose amount the caller states: fuels pay by volume, not by price. */
export interface StatedTax {
  readonly code: number
  readonly amount: number
}

export interface TaxLine {
  readonly code: number
  /** Percent; absent for a tax stated as an amount. */
  readonly rate?: Optional<number>
  readonly amount: number
}

/** Whole pesos. A part that the tipo does not print is absent, not zero. */
export interface Totals {
  readonly net?: Optional<number>
  readonly exempt?: Optional<number>
  readonly iva_rate?: Optional<number>
  readonly iva?: Optional<number>
  /** Additional taxes (they add) and withheld ones (they subtract), by SII code. */
  readonly taxes?: Optional<readonly TaxLine[]>
  readonly iva_not_withheld?: Optional<number>
  readonly construction_credit?: Optional<number>
  readonly deposit?: Optional<number>
  readonly total: number
  readonly non_billable?: Optional<number>
  readonly period_total?: Optional<number>
  readonly previous_balance?: Optional<number>
  readonly amount_due?: Optional<number>
}

/** What a caller writes: everything but the folio and the computed amounts. */
export interface DteDraft {
  readonly tipo_dte: TipoDte
  readonly issue_date: string
  readonly emisor: Emisor
  readonly receptor: Receptor
  readonly items: readonly Item[]
  readonly discounts?: Optional<readonly GlobalAdjustment[]>
  readonly surcharges?: Optional<readonly GlobalAdjustment[]>
  readonly references?: Optional<readonly Reference[]>
  readonly dispatch?: Optional<Dispatch>
  readonly payment?: Optional<Payment>
  readonly period?: Optional<Period>
  /** Kind of service (IndServicio); a boleta without one is of sales and services. */
  readonly service_type?: Optional<number>
  /** Whether `unit_price` includes IVA. By default boletas do and the rest do not. */
  readonly gross_prices?: Optional<boolean>
  readonly sale_type?: Optional<number>
  readonly purchase_type?: Optional<number>
  /** A credit note issued too late to lower the emitter's debit (art. 70 of DL 825). */
  readonly no_debit_reduction?: Optional<boolean>
  readonly stated_taxes?: Optional<readonly StatedTax[]>
  readonly construction_credit?: Optional<number>
  readonly previous_balance?: Optional<number>
  /** RUT of the software provider, in boletas. */
  readonly software_rut?: Optional<string>
}

export interface Dte extends DteDraft {
  readonly folio: number
  readonly items: readonly PricedItem[]
  readonly discounts?: Optional<readonly PricedAdjustment[]>
  readonly surcharges?: Optional<readonly PricedAdjustment[]>
  readonly totals: Totals
}

/** Who issued it, what kind, which number: the identity the SII knows a document by. */
export interface NaturalKey {
  readonly emisor_rut: string
  readonly tipo_dte: number
  readonly folio: number
}

export function naturalKey(dte: Pick<Dte, 'tipo_dte' | 'folio' | 'emisor'>): NaturalKey {
  return { emisor_rut: dte.emisor.rut, tipo_dte: dte.tipo_dte, folio: dte.folio }
}

/** Identity of the signed element inside its envelope. It must start with a letter (XML NCName). */
export function documentId(dte: Pick<NaturalKey, 'tipo_dte' | 'folio'>): string {
  return `F${dte.folio}T${dte.tipo_dte}`
}
