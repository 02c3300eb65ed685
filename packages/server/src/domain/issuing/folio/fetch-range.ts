import { santiagoDate } from '@timbre/dte/values'
import type { FolioRefusalReason } from '../../../catalog/folio-refusals.ts'
import { type FailureCode, GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type FolioRationing, SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { certificateGap } from '../../platform/empresa/custody.ts'
import { lockEmisor } from '../../platform/empresa/emisor.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { refuseFirstFolios } from '../../platform/onboarding/refuse-folios.ts'
import { recordUsage } from '../../platform/usage/record.ts'
import { readAvailability } from './availability.ts'
import { type CafFile, fetchCaf } from './fetch-caf.ts'
import { type RangeRequest, REQUEST_ATTEMPTS } from './jobs.ts'
import { backOff, lookAgain } from './look-again.ts'
import { deleteRefusal } from './refusal-store.ts'
import { refusedBySii } from './refused-by-sii.ts'
import { emitReceived, saveCaf } from './save-caf.ts'
import { type CafRow, sizeOf } from './show.ts'
import { findRequested } from './store.ts'

/** Emits that no range comes, then ends the job: no retry would change it. */
async function giveUp(
  ctx: JobContext,
  scope: EmpresaScope,
  request: RangeRequest,
  failure: GiveUp,
  reason?: FolioRefusalReason,
): Promise<never> {
  const { tipo_dte, quantity } = request
  await ctx.transact(async (tx) => {
    // Several tipos may be refused at one moment, and the first of them fails the step of the onboarding for all.
    if (!(await lockEmisor(tx.sql, scope))) return
    const object = await readAvailability(tx.sql, scope, tipo_dte, santiagoDate(tx.now()))
    const { code, message, details } = failure
    const detail = { quantity, job_id: ctx.job_id, code, message, ...details }
    await backOff(tx, scope, tipo_dte, failure)
    tx.emit({ type: 'folios.request_failed', object, empresa: { id: scope.empresa_id, rut: scope.rut }, detail })
    await refuseFirstFolios(tx, scope, { tipo_dte, sentence: message, ...(reason && { reason }) })
  })
  throw failure
}

/** Puts a range into custody. The caller may have uploaded the very same one meanwhile: then that one will do. */
async function save(ctx: JobContext, scope: EmpresaScope, { caf, file }: CafFile, asked_by_us: boolean) {
  return ctx.transact(async (tx) => {
    if (!(await lockEmisor(tx.sql, scope))) return null
    const { saved, row } = await saveCaf(tx, scope, { caf, file }, 'request', ctx.job_id)
    const { tipo_dte } = row
    await deleteRefusal(tx.sql, scope, tipo_dte)
    if (saved) {
      const [quantity, subject_id, at] = [sizeOf(row), ctx.job_id, tx.now()]
      await recordUsage(tx.sql, [{ empresa: scope, kind: 'folios_requested', tipo_dte, quantity, subject_id, at }])
      await emitReceived(tx, scope, row)
      await tx.reactions.onboardingFactsChanged(tx, scope)
      if (asked_by_us) await lookAgain(tx, scope, tipo_dte)
    } else if (row.from_folio !== caf.first_folio || row.to_folio !== caf.last_folio) {
      throw new Error(`the SII granted folios that are here already, in ${row.id}`)
    }
    return row
  })
}

function resultOf(row: CafRow | null, rationing?: FolioRationing): JobOutcome {
  return row
    ? { done: { caf_id: row.id, from: row.from_folio, to: row.to_folio, ...(rationing && { sii: rationing }) } }
    : 'done'
}

/**
 * Fetches a range from the SII and puts it into custody. No transaction is open while the SII answers. A worker that
 * dies between the answer and the custody leaves a range that only the SII knows of; the next run fetches that one.
 */
export async function fetchRange(ctx: JobContext, request: RangeRequest): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope, row: emisor } = empresa
  const fail = (code: FailureCode, message: string) => giveUp(ctx, scope, request, new GiveUp(code, message))
  // An earlier run of this very job, which died before it could end.
  const earlier = await findRequested(ctx.sql, scope, ctx.job_id)
  if (earlier) return resultOf(earlier)
  if (emisor.status !== 'active') return fail('empresa_inactive', 'The empresa is archived or suspended.')
  if (certificateGap(emisor, ctx.now())) return fail('empresa_inactive', 'The empresa has no valid certificate.')
  try {
    const { tipo_dte, quantity, at_least } = request
    const { legal_name, resolucion_numero } = emisor
    const least = at_least === undefined ? {} : { at_least }
    const wanted = { legal_name, tipo_dte, quantity, ...least, resolucion_numero: resolucion_numero ?? 0 }
    const answer = await fetchCaf(ctx, scope, wanted)
    if (!('caf' in answer))
      return await giveUp(ctx, scope, request, refusedBySii('folios_refused', answer), answer.reason)
    return resultOf(await save(ctx, scope, answer, at_least !== undefined), answer.rationing)
  } catch (error) {
    if (error instanceof GiveUp || ctx.attempt < REQUEST_ATTEMPTS) throw error
    if (error instanceof SiiUnreachable) return fail('sii_unreachable', error.told)
    return fail('internal_error', 'Something failed on our side.')
  }
}
