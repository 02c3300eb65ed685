import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import { nextLook, warningDue } from './deadline.ts'
import { announce, moveReceipt, moveStatus } from './move.ts'
import { type ReceivedRow, showReceived } from './show.ts'
import { findReceived, lockReceived, noteTold } from './store.ts'

async function warn(tx: JobTransaction, scope: EmpresaScope, row: ReceivedRow, days_left: number): Promise<void> {
  if (row.status !== 'pending' || !(await noteTold(tx.sql, scope, row.id, days_left))) return
  tx.emit({
    type: 'received_document.deadline_approaching',
    object: showReceived(row, tx.addresses),
    empresa: { id: scope.empresa_id, rut: scope.rut },
    detail: { days_left },
  })
}

/** Silence accepts, and takes the goods for received (Ley 19.983, art. 3 and 4). */
async function lapse(tx: JobTransaction, scope: EmpresaScope, before: ReceivedRow): Promise<void> {
  const accepted = await moveStatus(tx, scope, before.id, 'lapsed', { answered_at: before.deadline_at })
  const presumed = before.status === 'rejected' ? null : await moveReceipt(tx, scope, before.id, 'lapsed', {})
  const after = presumed ?? accepted
  if (!after) return
  const type = accepted ? 'received_document.accepted' : 'received_document.receipt_acknowledged'
  announce(tx, scope, type, { before, after }, { tacit: true })
}

/** Looks at a document when it matters, for as long as the register would still take an answer. */
export async function lookAtDeadline(
  ctx: JobContext,
  { received_document_id: id }: { received_document_id: string },
): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  const row = empresa && (await findReceived(ctx.sql, empresa.scope, id))
  if (!empresa || !row?.deadline_at || row.status === 'rejected') return 'done'
  const { scope } = empresa
  const { deadline_at } = row
  const now = ctx.now()
  const days = warningDue(deadline_at, now)
  await ctx.transact(async (tx) => {
    const held = await lockReceived(tx.sql, scope, id)
    if (!held) return
    if (now >= deadline_at) await lapse(tx, scope, held)
    else if (days !== null) await warn(tx, scope, held, days)
  })
  const again_at = nextLook(deadline_at, now)
  return again_at ? { again_at } : 'done'
}
