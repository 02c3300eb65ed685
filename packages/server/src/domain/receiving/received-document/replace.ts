import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { InspectedFile } from '../../../ports/inspection.ts'
import type { JobTransaction } from '../../job.ts'
import { emitChange } from './advance.ts'
import { isBetterProven, type JudgedDocument } from './authenticity.ts'
import { firstCheck } from './deadline.ts'
import { watchDeadline } from './jobs.ts'
import { writeOver } from './replaced-store.ts'
import { type ReceivedRow, showReceived } from './show.ts'
import { lockReceived } from './store.ts'

type ReplaceContext = Pick<JobTransaction, 'sql' | 'cache' | 'now' | 'emit' | 'enqueue' | 'addresses' | 'reactions'>

/**
 * Puts a better proven document in the place of the one under its number, whichever came first. Answers stay: the SII
 * registered them for that emisor, tipo and folio, which are the same. The clock of one that nobody answered is that of
 * the proven document. Null when another transaction was there first with one as good.
 */
export async function replaceReceived(
  tx: ReplaceContext,
  scope: EmpresaScope,
  incoming: { readonly row: ReceivedRow; readonly document: JudgedDocument; readonly file: InspectedFile },
  id: string,
): Promise<ReceivedRow | null> {
  const before = await lockReceived(tx.sql, scope, id)
  if (!before || !isBetterProven(incoming.document.authenticity, before.authenticity)) return null
  const row = mergeOver(before, incoming.row, tx.now())
  const after = await writeOver(tx.sql, scope, row, {
    shown: showReceived(before, tx.addresses),
    former_reception_id: before.reception_id,
    document: incoming.document,
    file: incoming.file,
  })
  const same_content = before.digest === after.digest
  const answered = before.answered_at !== null || before.acknowledged_at !== null
  emitChange(tx, scope, 'received_document.replaced', { before, after }, { same_content, answered })
  if (after.deadline_at && after.status === 'pending') {
    await tx.enqueue(watchDeadline, {
      payload: { received_document_id: id },
      empresa_id: scope.empresa_id,
      due_at: firstCheck(after.deadline_at, tx.now()),
    })
  }
  if (!same_content) await tx.reactions.documentsArrived(tx, scope, [after])
  return after
}

/** The new document with the identity, the arrival and the answers of the one it takes the place of. */
function mergeOver(before: ReceivedRow, incoming: ReceivedRow, replaced_at: Date): ReceivedRow {
  const { id, status, receipt_status, received_at, answered_at, acknowledged_at, claims } = before
  const kept = { id, status, receipt_status, received_at, answered_at, acknowledged_at, claims, replaced_at }
  const { sii_received_at, deadline_at, deadline_told } = status === 'pending' ? incoming : before
  return { ...incoming, ...kept, sii_received_at, deadline_at, deadline_told }
}
