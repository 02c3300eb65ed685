// A body that issues a document of each tipo.

import { ITEMS, RECEPTOR } from './issuer.ts'

const reference = (code: number) => [{ tipo_dte: 33, folio: 7, date: '2026-01-05', code }]

/** A body of each of the eight tipos. */
export const EIGHT: readonly (readonly [number, object])[] = [
  [33, { receptor: RECEPTOR, items: ITEMS }],
  [34, { receptor: RECEPTOR, items: ITEMS }],
  [39, { items: ITEMS }],
  [41, { items: ITEMS }],
  [46, { receptor: RECEPTOR, items: [{ ...ITEMS[0], additional_tax: 15 }] }],
  [52, { receptor: RECEPTOR, items: ITEMS, dispatch: { dispatch_type: 1, transfer_type: 1 } }],
  [56, { receptor: RECEPTOR, items: ITEMS, references: reference(3) }],
  [61, { receptor: RECEPTOR, items: ITEMS, references: reference(3) }],
]
