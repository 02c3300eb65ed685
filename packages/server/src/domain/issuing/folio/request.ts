import { santiagoDate } from '@timbre/dte/values'
import { CEILINGS, FOLIOS } from '../../../catalog/limits.ts'
import { Problem } from '../../../kernel/problem.ts'
import type { EmpresaContext } from '../../context.ts'
import { capabilitiesOf } from '../../platform/empresa/capabilities.ts'
import { readEmisor } from '../../platform/empresa/emisor.ts'
import { type Job, readJob } from '../../platform/job/operations.ts'
import { askForFolios } from './ask.ts'
import { readAvailability } from './availability.ts'
import type { RequestFolios } from './schema.ts'
import { findEmisor } from './store.ts'
import { checkTipo } from './usable-tipo.ts'

/** As much again as the last time, which is also what is asked for when a stock runs low. */
async function usualQuantity(ctx: EmpresaContext, tipo_dte: number): Promise<number> {
  const { ranges } = await readAvailability(ctx.sql, ctx.empresa, tipo_dte, santiagoDate(ctx.now()))
  const last = ranges.at(-1)
  return last ? Math.min(last.to - last.from + 1, CEILINGS.folios_per_request) : FOLIOS.requested_by_default
}

/** Has a range asked of the SII. The answer comes later, as a job and as an event. */
export async function requestFolios(ctx: EmpresaContext, { tipo_dte, quantity }: RequestFolios): Promise<Job> {
  const emisor = await findEmisor(ctx.sql, ctx.empresa)
  if (!emisor) throw new Problem('empresa_not_found')
  checkTipo(emisor, tipo_dte, 'tipo_dte')
  const { onboarding_status } = emisor
  if (onboarding_status !== 'emitting') {
    const { blocked_by: step, next } = capabilitiesOf(await readEmisor(ctx))
    const message = `The empresa cannot emit yet: ${step} is pending.`
    throw new Problem('empresa_not_emitting', { message, details: { step, next } })
  }
  const wanted = quantity ?? (await usualQuantity(ctx, tipo_dte))
  const job_id = await askForFolios(ctx, ctx.empresa, tipo_dte, wanted, 'asked')
  return readJob(ctx, { job_id })
}
