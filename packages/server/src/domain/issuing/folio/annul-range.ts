import { advance } from '../../../kernel/advance.ts'
import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { emitAnnulment } from './annulment-events.ts'
import { REQUEST_ATTEMPTS } from './jobs.ts'
import { annulmentMachine } from './machine.ts'
import { refusedBySii } from './refused-by-sii.ts'
import type { CafAnnulment, CafRow } from './show.ts'
import { findCaf, lockCaf, recordAnnulment } from './store.ts'

/** A range whose annulment was requested. */
type Requested = CafRow & { readonly annulment: CafAnnulment }

const isRequested = (row: CafRow | null): row is Requested =>
  row?.annulment_status === 'queued' && row.annulment !== null

/** Writes how it ended, once: another run of the job may have been first. */
async function settle(ctx: JobContext, scope: EmpresaScope, caf_id: string, failure: GiveUp | null): Promise<void> {
  await ctx.transact(async (tx) => {
    const row = await lockCaf(tx.sql, scope, caf_id)
    if (!isRequested(row)) return
    const { transition } = await advance(tx.sql, annulmentMachine, scope, caf_id, failure ? 'refused' : 'confirmed')
    const told = failure && { code: failure.code, message: failure.message, ...failure.details }
    const annulment = { ...row.annulment, failure: told, settled_at: tx.now().toISOString() }
    await recordAnnulment(tx.sql, scope, caf_id, annulment)
    const type = failure ? 'folios.annulment_failed' : 'folios.annulled'
    if (transition.event) await emitAnnulment(tx, scope, row, type, { job_id: ctx.job_id, ...told })
  })
}

const resultOf = (row: CafRow | null): JobOutcome =>
  row?.annulment ? { done: { caf_id: row.id, from: row.annulment.from, to: row.annulment.to } } : 'done'

/**
 * Asks the SII to annul the unused folios of a range. No transaction is open while it answers; annulling twice is the
 * same as once, so a run that died after the answer asks again.
 */
export async function annulFolios(ctx: JobContext, { caf_id }: { readonly caf_id: string }): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const row = await findCaf(ctx.sql, scope, caf_id)
  if (!isRequested(row)) return resultOf(row)
  const fail = async (failure: GiveUp): Promise<never> => {
    await settle(ctx, scope, caf_id, failure)
    throw failure
  }
  try {
    const { ambiente, tipo_dte, annulment } = row
    const range = { empresa: scope, rut: scope.rut, ambiente, tipo_dte, from: annulment.from, to: annulment.to }
    const answer = await ctx.ports.sii[scope.mode].annulFolios(range)
    if (!answer.annulled) return await fail(refusedBySii('folios_not_annulled', answer))
    await settle(ctx, scope, caf_id, null)
    return resultOf(row)
  } catch (error) {
    if (error instanceof GiveUp || ctx.attempt < REQUEST_ATTEMPTS) throw error
    if (error instanceof SiiUnreachable) return fail(new GiveUp('sii_unreachable', error.told))
    return fail(new GiveUp('internal_error', 'Something failed on our side.'))
  }
}
