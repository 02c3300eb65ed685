import { secondsFrom } from '../../../kernel/clock.ts'
import { GiveUp, type JobOutcome, waitsFor } from '../../../kernel/job.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { findDocument } from '../document/read.ts'
import { waitForOtherCopy } from './copies.ts'
import { CEDE_ATTEMPTS } from './jobs.ts'
import { pollRegister } from './poll-register.ts'
import { findCesion } from './store.ts'
import { type CesionWork, failCesion, submitCesion } from './submit.ts'

/** Null when the empresa was deleted, or another cesión took its place. */
async function workOf(ctx: JobContext, cesion_id: string): Promise<CesionWork | null> {
  const empresa = await jobEmpresa(ctx)
  const cesion = empresa && (await findCesion(ctx.sql, empresa.scope, cesion_id))
  const document = cesion && (await findDocument(ctx.sql, empresa.scope, cesion.document_id))
  if (!document || document.cesion?.id !== cesion_id) return null
  return { empresa, cesion, document, facts: document.cesion }
}

function giveUpReason(error: unknown): GiveUp {
  if (error instanceof GiveUp) return error
  if (error instanceof SiiUnreachable) return new GiveUp('sii_unreachable', error.told)
  return new GiveUp('internal_error', 'Something failed on our side.')
}

const PATIENCE_SECONDS = 3_600

/** A cesión that was never sent fails when it cannot be, and may be requested again. One that may have been sent is polled. */
async function submitOrFail(ctx: JobContext, work: CesionWork): Promise<JobOutcome> {
  try {
    return await submitCesion(ctx, work)
  } catch (error) {
    if (!(error instanceof GiveUp)) {
      if (ctx.attempt < CEDE_ATTEMPTS) throw error
      const now = await findCesion(ctx.sql, work.empresa.scope, work.cesion.id)
      if (now?.aec) return { again_at: secondsFrom(ctx.now(), PATIENCE_SECONDS), waits_for: waitsFor(error) }
    }
    // An earlier run may have handed a copy over: the register decides about that one.
    const waiting = await waitForOtherCopy(ctx, work, work.cesion.sends)
    if (waiting) return waiting
    const reason = giveUpReason(error)
    await failCesion(ctx, work, { code: reason.code, message: reason.message })
    throw reason
  }
}

/** The register has it and will decide some day: no failure of ours to ask ends that. */
async function pollPatiently(ctx: JobContext, work: CesionWork): Promise<JobOutcome> {
  return pollRegister(ctx, work).catch((error: unknown) => {
    if (error instanceof GiveUp || (!(error instanceof SiiUnreachable) && ctx.attempt < CEDE_ATTEMPTS)) throw error
    return { again_at: secondsFrom(ctx.now(), PATIENCE_SECONDS), waits_for: waitsFor(error) }
  })
}

/** One step from wherever the cesión stands. Each reads what the last one left, so a crash at any instant loses nothing. */
export async function processCesion(ctx: JobContext, { cesion_id }: { cesion_id: string }): Promise<JobOutcome> {
  const work = await workOf(ctx, cesion_id)
  if (!work) return 'done'
  const { cesion_status } = work.document
  if (cesion_status === 'queued') return submitOrFail(ctx, work)
  if (cesion_status === 'submitted') return pollPatiently(ctx, work)
  const { failure, track_id, estado } = work.facts
  if (failure) throw new GiveUp(failure.code, failure.message)
  return { done: { cesion_id, document_id: work.document.id, track_id, estado } }
}
