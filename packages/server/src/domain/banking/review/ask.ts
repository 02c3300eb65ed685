import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { BaseContext } from '../../context.ts'
import type { Arrived } from '../../reactions.ts'
import { kindOf } from '../match/target.ts'
import { type ReviewOrder, reviewMovements } from './jobs.ts'
import { waitsFor } from './store.ts'

/** Has the movements of an empresa reviewed once the transaction commits. Many that wait are one. */
export async function askForReview(
  tx: Pick<BaseContext, 'enqueue'>,
  { empresa_id }: Pick<EmpresaScope, 'empresa_id'>,
  order: ReviewOrder = {},
): Promise<void> {
  await tx.enqueue(reviewMovements, { payload: order, empresa_id, lane: empresa_id })
}

// Boletas and guías are paid by no movement that anybody looks for.
const PAID_BY_MOVEMENTS: readonly number[] = [33, 34, 43, 46, 56, 61]
const FACTURA_DE_COMPRA = 46

/**
 * Documents arrived: movements that were reviewed before them are looked at again. Nothing is asked where no movement
 * waits, and nothing about sales where the empresa has its movements matched by hand.
 */
export async function reviewArrivals(
  tx: Pick<BaseContext, 'enqueue' | 'sql'>,
  scope: EmpresaScope,
  documents: readonly Arrived[],
): Promise<void> {
  const arrived = documents.filter(({ tipo_dte }) => PAID_BY_MOVEMENTS.includes(tipo_dte))
  if (arrived.length === 0) return
  // One that a supplier sent, or a 46 that somebody issued by hand, also answers what is suggested.
  const answers = arrived.some(
    ({ id, tipo_dte }) => tipo_dte === FACTURA_DE_COMPRA || kindOf(id) === 'received_document',
  )
  if (await waitsFor(tx.sql, scope, { matches_alone: !answers }))
    await askForReview(tx, scope, { arrived: arrived.map(({ id }) => id) })
}
