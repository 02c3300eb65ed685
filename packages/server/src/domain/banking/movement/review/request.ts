import { EXCHANGED_TIPOS, TIPO } from '@timbre/dte/values'
import type { EmpresaScope } from '../../../../kernel/scope.ts'
import type { BaseContext } from '../../../context.ts'
import { onAcceptance } from '../../../issuing/automation-settings/on-acceptance.ts'
import type { Arrived } from '../../../reactions.ts'
import { type ReviewOrder, reviewMovements } from '../jobs.ts'
import { targetKindOf } from '../match/target.ts'
import { hasUnmatched } from '../review-store.ts'

/** Enqueues a review of the movements of an empresa. The worker runs all that wait as one. */
export async function requestReview(
  tx: Pick<BaseContext, 'enqueue'>,
  { empresa_id }: Pick<EmpresaScope, 'empresa_id'>,
  order: ReviewOrder = {},
): Promise<void> {
  await tx.enqueue(reviewMovements, { payload: order, empresa_id, lane: empresa_id })
}

/**
 * Documents arrived: movements that were reviewed before them are reviewed again. Enqueues nothing where no movement is
 * unmatched, and nothing about sales where the empresa matches its movements by hand.
 */
export async function requestReviewOfArrivals(
  tx: Pick<BaseContext, 'enqueue' | 'sql' | 'cache'>,
  scope: EmpresaScope,
  documents: readonly Arrived[],
): Promise<void> {
  const arrived = documents.filter(({ tipo_dte }) => EXCHANGED_TIPOS.includes(tipo_dte))
  if (arrived.length === 0) return
  // A document of a supplier, or a 46 that somebody issued by hand, also settles a suggestion.
  const settles = arrived.some(
    ({ id, tipo_dte }) => tipo_dte === TIPO.factura_de_compra || targetKindOf(id) === 'received_document',
  )
  if (!settles && !(await onAcceptance(tx, scope)).matches_movements) return
  if (await hasUnmatched(tx.sql, scope)) await requestReview(tx, scope, { arrived: arrived.map(({ id }) => id) })
}
