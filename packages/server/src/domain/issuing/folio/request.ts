import { santiagoDate } from '@timbre/dte/values'
import { CEILINGS, FOLIOS } from '../../../catalog/limits.ts'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { EmpresaContext } from '../../context.ts'
import type { JobTransaction } from '../../job.ts'
import { capabilitiesOf } from '../../platform/empresa/capabilities.ts'
import { getsFolioFromSii } from '../../platform/empresa/channels.ts'
import { certificateGap } from '../../platform/empresa/custody.ts'
import { findEmisor } from '../../platform/empresa/emisor.ts'
import type { EmpresaRow } from '../../platform/empresa/row.ts'
import { type Job, readJob } from '../../platform/job/operations.ts'
import { findJobPayload, isUnderWay } from '../../platform/job/payload.ts'
import { readAvailability } from './availability.ts'
import { requestRange } from './jobs.ts'
import type { RequestFolios } from './schema.ts'

/** Refuses folios that no document of the empresa could use. */
export function checkTipo(
  { doc_types, emission_channel: channel }: Pick<EmpresaRow, 'doc_types' | 'emission_channel'>,
  tipo_dte: number,
  param: string,
): void {
  if (!doc_types.includes(tipo_dte)) throw new Problem('tipo_not_declared', { param, details: { tipo_dte } })
  if (!getsFolioFromSii(channel, tipo_dte)) return
  const message = `On the channel ${channel} the SII gives each document of tipo ${tipo_dte} its folio.`
  throw new Problem('tipo_not_available_for_channel', { param, message, details: { channel, tipos: [tipo_dte] } })
}

/** As much again as the last time, which is also what is requested when a stock runs low. */
async function usualQuantity(ctx: EmpresaContext, tipo_dte: number): Promise<number> {
  const { ranges } = await readAvailability(ctx.sql, ctx.empresa, tipo_dte, santiagoDate(ctx.now()))
  const last = ranges.at(-1)
  return last ? Math.min(last.to - last.from + 1, CEILINGS.folios_per_request) : FOLIOS.requested_by_default
}

/** Requests a range for the caller. The answer of the SII comes later, as a job and as an event. */
export async function requestFolios(ctx: EmpresaContext, { tipo_dte, quantity }: RequestFolios): Promise<Job> {
  const emisor = await findEmisor(ctx.sql, ctx.empresa)
  if (!emisor) throw new Problem('empresa_not_found')
  checkTipo(emisor, tipo_dte, 'tipo_dte')
  if (emisor.emitting_since === null || certificateGap(emisor, ctx.now()) !== null) {
    const { blocked_by, next } = capabilitiesOf(emisor, ctx.now())
    const step = blocked_by ?? 'certificate'
    const message = `The empresa cannot emit yet: ${step} is pending.`
    throw new Problem('empresa_not_emitting', { message, details: { step, next } })
  }
  const wanted = quantity ?? (await usualQuantity(ctx, tipo_dte))
  const job_id = await enqueueRequest(ctx, ctx.empresa, tipo_dte, { quantity: wanted }, 'asked')
  return readJob(ctx, { job_id })
}

const keyOf = ({ empresa_id }: EmpresaScope, tipo_dte: number) => `${empresa_id}:${tipo_dte}`

/** Whether the SII is being asked for folios of a tipo. */
export function isRangeRequested(sql: Sql, scope: EmpresaScope, tipo_dte: number): Promise<boolean> {
  return isUnderWay(sql, scope, { name: requestRange.name, key: keyOf(scope, tipo_dte) })
}

/**
 * Enqueues the request for a range, emits its event and gives the id of the job. While one request of a tipo is on its
 * way no second one is made: the SII counts what a taxpayer has and does not use.
 */
export async function enqueueRequest(
  tx: Pick<JobTransaction, 'sql' | 'now' | 'enqueue' | 'emit'>,
  scope: EmpresaScope,
  tipo_dte: number,
  wanted: { readonly quantity: number; readonly at_least?: number },
  reason: 'asked' | 'low' | 'onboarding',
): Promise<string> {
  const asked_by = newId('request')
  const job_id = await tx.enqueue(requestRange, {
    payload: { tipo_dte, ...wanted, asked_by },
    key: keyOf(scope, tipo_dte),
    empresa_id: scope.empresa_id,
  })
  const payload = await findJobPayload(tx.sql, scope, job_id)
  if (payload?.asked_by !== asked_by) return job_id
  tx.emit({
    type: 'folios.requested',
    object: await readAvailability(tx.sql, scope, tipo_dte, santiagoDate(tx.now())),
    empresa: { id: scope.empresa_id, rut: scope.rut },
    detail: { quantity: wanted.quantity, job_id, reason },
  })
  return job_id
}
