import { type DteDraft, priceDraft } from '@timbre/dte/draft'
import type { Document } from './schema.ts'

/** Amounts as the row stores them. */
interface Stored {
  readonly net: number
  readonly iva: number
  readonly exempt: number
  readonly total: number
  readonly draft: DteDraft
}

/** Whether more than net, IVA and exempt may be part of the total: what nearly every document has not. */
function hasMore({ items, stated_taxes, construction_credit }: DteDraft): boolean {
  if (construction_credit !== undefined || stated_taxes !== undefined) return true
  return items.some(({ additional_tax, billing }) => additional_tax !== undefined || billing === 'container_deposit')
}

/**
 * MntTotal = MntNeto + MntExe + IVA + additional taxes − withheld ones + GrntDep − CredEC (SII, Formato DTE v2.4.2,
 * Totales): every part of it is shown, so that a reader may add it up. Only a document that has the rarer parts is
 * priced again.
 */
export function amountsOf({ net, iva, exempt, total, draft }: Stored): Pick<Document, 'totals' | 'taxes'> {
  if (!hasMore(draft)) {
    return { totals: { net, iva, exempt, taxes: 0, deposit: 0, construction_credit: 0, total }, taxes: [] }
  }
  const { taxes = [], deposit = 0, construction_credit = 0 } = priceDraft(draft).totals
  return {
    totals: {
      net,
      iva,
      exempt,
      taxes: total - net - iva - exempt - deposit + construction_credit,
      deposit,
      construction_credit,
      total,
    },
    taxes: taxes.map(({ code, rate, amount }) => ({ code, rate: rate ?? null, amount })),
  }
}
