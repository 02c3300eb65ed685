import { santiagoDate } from '@timbre/dte/values'
import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { empresaOfJob } from '../../platform/empresa/of-job.ts'
import { recordUsage } from '../../platform/usage/record.ts'
import { readAvailability } from './availability.ts'
import { requestFile } from './fetch-file.ts'
import { type RangeRequest, REQUEST_ATTEMPTS } from './jobs.ts'
import { type CafFile, keepCaf } from './keep-caf.ts'
import { tellReceived } from './received.ts'
import { type CafRow, sizeOf } from './show.ts'
import { findRequested, lockEmisor } from './store.ts'

/** Tells that no range comes, then ends the job: no retry would change it. */
async function giveUp(ctx: JobContext, scope: EmpresaScope, request: RangeRequest, failure: GiveUp): Promise<never> {
  const { tipo_dte, quantity } = request
  await ctx.transact(async (tx) => {
    const object = await readAvailability(tx.sql, scope, tipo_dte, santiagoDate(tx.now()))
    const detail = { quantity, job_id: ctx.job_id, code: failure.code, message: failure.message }
    tx.emit({ type: 'folios.request_failed', object, empresa: { id: scope.empresa_id, rut: scope.rut }, detail })
  })
  throw failure
}

/** Puts a range into custody. Someone may have brought the very same one by hand meanwhile: then that one will do. */
async function store(ctx: JobContext, scope: EmpresaScope, { caf, file }: CafFile): Promise<CafRow | null> {
  return ctx.transact(async (tx) => {
    if (!(await lockEmisor(tx.sql, scope))) return null
    const { kept, row } = await keepCaf(tx, scope, { caf, file }, 'request', ctx.job_id)
    if (kept) {
      const { tipo_dte } = row
      const [quantity, subject_id, at] = [sizeOf(row), ctx.job_id, tx.now()]
      await recordUsage(tx.sql, [{ empresa: scope, kind: 'folios_requested', tipo_dte, quantity, subject_id, at }])
      await tellReceived(tx, scope, row)
    } else if (row.from_folio !== caf.first_folio || row.to_folio !== caf.last_folio) {
      throw new Error(`the SII granted folios that are here already, in ${row.id}`)
    }
    return row
  })
}

function brought(row: CafRow | null): JobOutcome {
  return row ? { done: { caf_id: row.id, from: row.from_folio, to: row.to_folio } } : 'done'
}

/**
 * Asks the SII for a range and puts it into custody. The SII is asked with no transaction open. A worker that dies
 * between its answer and the custody leaves a range that only the SII knows of; the next run asks for another.
 */
export async function fetchRange(ctx: JobContext, request: RangeRequest): Promise<JobOutcome> {
  const empresa = await empresaOfJob(ctx)
  if (!empresa) return 'done'
  const { scope, row: emisor } = empresa
  const fail = (code: string, message: string) => giveUp(ctx, scope, request, new GiveUp(code, message))
  // This very job, in a run that did not live to say so.
  const earlier = await findRequested(ctx.sql, scope, ctx.job_id)
  if (earlier) return brought(earlier)
  if (emisor.status !== 'active') return fail('empresa_inactive', 'The empresa is archived or suspended.')
  try {
    const { tipo_dte, quantity } = request
    const { legal_name, resolucion_numero } = emisor
    const wanted = { legal_name, tipo_dte, quantity, resolucion_numero: resolucion_numero ?? 0 }
    const answer = await requestFile(ctx, scope, wanted)
    if (!('caf' in answer)) return fail('folios_refused', answer.sentence)
    return brought(await store(ctx, scope, answer))
  } catch (error) {
    const away = error instanceof SiiUnreachable
    // Between two tries the job shows what the last one met, and an SII that is away is no fault of ours.
    if (error instanceof GiveUp || ctx.attempt < REQUEST_ATTEMPTS) throw away ? new Problem('sii_unreachable') : error
    if (away) return fail('sii_unreachable', 'The SII did not answer.')
    return fail('internal_error', 'Something failed on our side.')
  }
}
