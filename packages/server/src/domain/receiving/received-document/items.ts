import type { Dte } from '@timbre/dte'
import type { ReceivedItem } from './schema.ts'

export function itemsOf(dte: Dte | null): ReceivedItem[] {
  return (dte?.items ?? []).map((item) => ({
    description: item.description,
    quantity: item.quantity ?? null,
    unit: item.unit ?? null,
    unit_price: item.unit_price ?? null,
    exempt: item.exempt ?? false,
    amount: item.amount,
  }))
}
