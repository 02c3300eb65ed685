import { type DteDraft, type PricedAdjustment, type PricedItem, priceDraft } from '@timbre/dte/draft'
import { type TipoDte, tipo } from '@timbre/dte/values'
import type { Static, TObject } from 'typebox'
import {
  type DocumentDetail,
  ShownAddress,
  ShownAdjustment,
  ShownBases,
  ShownDispatch,
  ShownGlobal,
  ShownItem,
  ShownPayment,
  ShownPeriod,
  ShownReference,
} from './detail-schema.ts'

/** Every field of the schema; null where the draft is silent. */
function withNulls<T extends TObject>(schema: T, said: object): Static<T> {
  const value = said as Record<string, unknown>
  return Object.fromEntries(Object.keys(schema.properties).map((key) => [key, value[key] ?? null])) as Static<T>
}

const maybe = <T extends TObject>(schema: T, said: object | undefined): Static<T> | null =>
  said === undefined ? null : withNulls(schema, said)

function showItem(tipo_dte: TipoDte, item: PricedItem): ShownItem {
  return {
    ...withNulls(ShownItem, item),
    // In a tipo without IVA every plain line is exempt, and its XML says so.
    exempt: item.exempt ?? (!tipo(tipo_dte).taxed && item.billing === undefined),
    discount: maybe(ShownAdjustment, item.discount),
    surcharge: maybe(ShownAdjustment, item.surcharge),
    retention_agent: maybe(ShownBases, item.retention_agent),
    discount_amount: item.discount_amount ?? 0,
    surcharge_amount: item.surcharge_amount ?? 0,
  }
}

function showGlobals(tipo_dte: TipoDte, adjustments: readonly PricedAdjustment[] = []) {
  const usual = tipo(tipo_dte).taxed ? 'taxed' : 'exempt'
  return adjustments.map((one) => ({ ...withNulls(ShownGlobal, one), applies_to: one.applies_to ?? usual }))
}

function showReferences({ references = [] }: DteDraft): DocumentDetail['references'] {
  return references.map((one) => ({
    ...withNulls(ShownReference, one),
    folio: one.folio === undefined ? null : String(one.folio),
    global: one.global ?? false,
  }))
}

function showPayment({ payment }: DteDraft): DocumentDetail['payment'] {
  if (!payment) return null
  const instalments = (payment.instalments ?? []).map(({ date, amount, note }) => ({
    date,
    amount,
    note: note ?? null,
  }))
  return { ...withNulls(ShownPayment, payment), instalments }
}

function showDispatch({ dispatch }: DteDraft): DocumentDetail['dispatch'] {
  if (!dispatch) return null
  const { origin, destination } = dispatch
  return {
    ...withNulls(ShownDispatch, dispatch),
    origin: maybe(ShownAddress, origin),
    destination: maybe(ShownAddress, destination),
  }
}

export function detailOf(draft: DteDraft): DocumentDetail {
  const { tipo_dte } = draft
  const { items, discounts, surcharges } = priceDraft(draft)
  return {
    items: items.map((item) => showItem(tipo_dte, item)),
    discounts: showGlobals(tipo_dte, discounts),
    surcharges: showGlobals(tipo_dte, surcharges),
    references: showReferences(draft),
    payment: showPayment(draft),
    dispatch: showDispatch(draft),
    period: maybe(ShownPeriod, draft.period),
    service_type: draft.service_type ?? null,
    sale_type: draft.sale_type ?? null,
    purchase_type: draft.purchase_type ?? null,
    gross_prices: draft.gross_prices ?? null,
    no_debit_reduction: draft.no_debit_reduction ?? false,
  }
}
