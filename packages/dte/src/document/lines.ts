import type {
  AppliesTo,
  DteDraft,
  GlobalAdjustment,
  Item,
  LineAdjustment,
  PricedAdjustment,
  PricedItem,
} from './document.ts'
import { multiplyInPesos, percentOf } from './money.ts'
import { type Mutable, mutableCopy } from './mutable.ts'
import { type TipoDte, tipo } from './tipos.ts'

/** Where the amount of a line goes (SII, Formato DTE v2.4.2, Indicador de Facturación). */
export type Bucket = AppliesTo | 'deposit' | 'none'

export function bucketOf(tipo_dte: TipoDte, item: Item): Bucket {
  switch (item.billing) {
    case 'non_billable':
    case 'non_billable_negative':
      return 'non_billable'
    case 'container_deposit':
      return 'deposit'
    case 'not_a_sale':
    case 'to_deduct':
      return 'none'
    default:
      return item.exempt === true || !tipo(tipo_dte).taxed ? 'exempt' : 'taxed'
  }
}

function adjust(base: number, adjustment: LineAdjustment | undefined): number {
  if (adjustment === undefined) return 0
  return adjustment.percent === undefined ? (adjustment.amount ?? 0) : percentOf(base, adjustment.percent)
}

/** `round(quantity × price) − discount + surcharge`; a surcharge in percent is taken after the discount. */
export function priceItem(item: Item): PricedItem {
  const gross = multiplyInPesos(item.quantity ?? 1, item.unit_price ?? 0)
  const discount_amount = adjust(gross, item.discount)
  const surcharge_amount = adjust(gross - discount_amount, item.surcharge)
  const priced = mutableCopy(item) as Mutable<PricedItem>
  if (discount_amount !== 0) priced.discount_amount = discount_amount
  if (surcharge_amount !== 0) priced.surcharge_amount = surcharge_amount
  priced.amount = gross - discount_amount + surcharge_amount
  return priced
}

export type Sums = Record<Bucket, number>

export function sumLines(tipo_dte: TipoDte, items: readonly PricedItem[]): Sums {
  const sums: Sums = { taxed: 0, exempt: 0, non_billable: 0, deposit: 0, none: 0 }
  for (const item of items) {
    const bucket = bucketOf(tipo_dte, item)
    if (bucket !== 'none') sums[bucket] += item.billing === 'non_billable_negative' ? -item.amount : item.amount
  }
  return sums
}

/** The bucket a global discount or surcharge works on: in a tipo without IVA there is nothing taxed to discount. */
export function targetOf(tipo_dte: TipoDte, adjustment: GlobalAdjustment): AppliesTo {
  return adjustment.applies_to ?? (tipo(tipo_dte).taxed ? 'taxed' : 'exempt')
}

export interface Adjusted {
  readonly sums: Sums
  readonly discounts: readonly PricedAdjustment[]
  readonly surcharges: readonly PricedAdjustment[]
}

/** Discounts, then surcharges, each over what the ones before it left. */
export function applyAdjustments(draft: DteDraft, before: Sums): Adjusted {
  const sums = { ...before }
  const apply = (adjustments: readonly GlobalAdjustment[] | undefined, sign: 1 | -1): PricedAdjustment[] =>
    (adjustments ?? []).map((adjustment) => {
      const target = targetOf(draft.tipo_dte, adjustment)
      const applied = adjust(sums[target], adjustment)
      sums[target] += sign * applied
      return Object.assign(mutableCopy(adjustment), { applied })
    })
  const discounts = apply(draft.discounts, -1)
  const surcharges = apply(draft.surcharges, 1)
  return { sums, discounts, surcharges }
}
