import { santiagoDate } from '@timbre/dte/values'
import { advance } from '../../../kernel/advance.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { type Job, readJob } from '../../platform/job/operations.ts'
import { emitAnnulment } from './annulment-events.ts'
import { annulRange } from './jobs.ts'
import { annulmentMachine, cafMachine } from './machine.ts'
import { type CafRow, isExpired, remainingOf } from './show.ts'
import { findCaf, lockCaf, lockChain, recordAnnulment, recordDeactivation } from './store.ts'

/** Why the folios of a range are not annulled now, as `details.reason` says it. */
const NOT_ANNULLABLE = {
  in_use: 'Documents draw their folios from it: deactivate it first, with DELETE /cafs/{caf_id}.',
  spent: 'Every folio of it was used, so none is left to annul.',
  annulment_in_progress: 'The SII was asked to annul them already.',
  annulled: 'They are annulled already.',
} as const

function faultOf(row: CafRow, on: string): keyof typeof NOT_ANNULLABLE | null {
  if (row.annulment_status === 'queued') return 'annulment_in_progress'
  if (row.annulment_status === 'annulled') return 'annulled'
  if (remainingOf(row) === 0) return 'spent'
  return row.status === 'active' && !isExpired(row, on) ? 'in_use' : null
}

/**
 * Asks the SII to annul the folios of a range that no document ever got: from the next one on, for a draw takes them in
 * order. Only of one that is drawn from no more, so that none of them is on its way to a document.
 */
export async function annulCaf(ctx: EmpresaContext, { caf_id }: { caf_id: string }): Promise<Job> {
  const { sql, empresa } = ctx
  const found = await findCaf(sql, empresa, caf_id)
  if (!found) throw new Problem('caf_not_found')
  const on = santiagoDate(ctx.now())
  // In the order in which a draw locks them.
  await lockChain(sql, empresa, found.tipo_dte, on)
  const row = await lockCaf(sql, empresa, caf_id)
  if (!row) throw new Problem('caf_not_found')
  const reason = faultOf(row, on)
  if (reason) {
    const { next_folio, to_folio } = row
    const details = { reason, next_folio, to: to_folio }
    throw new Problem('caf_not_annullable', { message: NOT_ANNULLABLE[reason], details })
  }
  if (row.status === 'active') {
    // It has expired: from here on no clock, wherever it is moved, lets a document draw from it.
    await advance(sql, cafMachine, empresa, caf_id, 'deactivated')
    await recordDeactivation(sql, empresa, caf_id, ctx.now())
  }
  await advance(sql, annulmentMachine, empresa, caf_id, 'asked')
  const job_id = await ctx.enqueue(annulRange, { payload: { caf_id }, key: caf_id, empresa_id: empresa.empresa_id })
  const annulment = {
    from: row.next_folio,
    to: row.to_folio,
    failure: null,
    requested_at: ctx.now().toISOString(),
    settled_at: null,
  }
  await recordAnnulment(sql, empresa, caf_id, annulment)
  await emitAnnulment(ctx, empresa, { ...row, annulment }, 'folios.annulment_requested', { job_id })
  return readJob(ctx, { job_id })
}
