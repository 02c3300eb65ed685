// Notas de crédito over documents, and how they are refused.

import type { Issuer } from './issuer.ts'
import type { Sent } from './world.ts'

/** Asks for a nota de crédito over a document. */
export function credit(by: Issuer, { id }: { readonly id: string }, body: object = {}): Promise<Sent> {
  return by.post(`/v1/documents/${id}/credit_note`, body)
}

/** One line of so much, as a nota that corrects amounts carries it. */
export const amount = (unit_price: number, more: object = {}) => ({
  items: [{ description: 'Diferencia', unit_price, ...more }],
})

export const TEXT = { code: 2, reason: 'Donde dice Calle Larga 56 debe decir Calle Larga 65' }

/** Status, code and reason of a refusal. */
export const refusal = ({ status, body }: Sent) => [status, body.error?.code, body.error?.details?.reason]
