import { secondsFrom } from '../../../kernel/clock.ts'
import { GiveUp, type JobOutcome } from '../../../kernel/job.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { recordUsage } from '../../platform/usage/record.ts'
import { advanceCesion } from '../document/advance-cesion.ts'
import type { CesionFacts } from '../document/show.ts'
import { waitForOtherCopy } from './copies.ts'
import { type CesionWork, failCesion, questionOf } from './submit.ts'

/** Seconds to the next question while the register gives no time of its own: the younger the cesión, the sooner. */
function waitOf(submitted_at: string | null, now: Date): number {
  const age = now.getTime() - Date.parse(submitted_at ?? now.toISOString())
  if (age < 120_000) return 10
  return age < 1_200_000 ? 60 : 600
}

type Answer = Pick<CesionFacts, 'estado' | 'glosa'>

/** Records a confirmed cesión and its usage in one transaction. */
async function confirm(tx: JobTransaction, { empresa, document, facts }: CesionWork, answer: Answer): Promise<void> {
  const at = tx.now()
  const confirmed = { ...facts, ...answer, settled_at: at.toISOString() }
  const row = await advanceCesion(tx, empresa.scope, document, 'confirmed', confirmed)
  if (!row) return
  const { id: subject_id, tipo_dte } = row
  const used = { empresa: empresa.scope, kind: 'document_ceded', tipo_dte, quantity: 1, subject_id, at } as const
  await recordUsage(tx.sql, [used])
}

/**
 * The register has neither the file that it took nor a cesión of the document. It may show it late, so it is asked for
 * another day, ever less often; then the cesión fails in its words, and may be requested again.
 */
async function lookForLost(ctx: JobContext, work: CesionWork, { estado, glosa }: Answer): Promise<JobOutcome> {
  const waiting = await waitForOtherCopy(ctx, work, 1)
  if (waiting) return waiting
  const message = `The register of the SII took the cesión and no longer knows it: ${glosa}. It may be requested again.`
  const failure = { code: 'cesion_not_found', message } as const
  await failCesion(ctx, work, failure, { estado, glosa })
  throw new GiveUp(failure.code, failure.message)
}

/** Asks the register what became of a cesión, and records the answer once it is final. */
export async function pollRegister(ctx: JobContext, work: CesionWork): Promise<JobOutcome> {
  const { empresa, document, facts, cesion } = work
  const { track_id } = facts
  const state = await ctx.ports.sii[empresa.scope.mode].cesionStateOf({ ...questionOf(ctx, work), track_id })
  if (state.is_unknown) return lookForLost(ctx, work, state)
  const { estado, glosa } = state
  const { explain } = await import('@timbre/dte/emission')
  const { code, outcome, field, message, hint } = explain({ source: 'rtc_envio', code: estado, text: glosa })
  if (outcome === 'ok') {
    await ctx.transact((tx) => confirm(tx, work, { estado, glosa }))
    return { done: { cesion_id: cesion.id, document_id: document.id, track_id, estado } }
  }
  if (outcome === 'rejected') {
    const waiting = await waitForOtherCopy(ctx, work, cesion.sends - 1)
    if (waiting) return waiting
    const failure = { code, message: `The register of the SII refused the cesión: ${glosa}` }
    const explanation = { code, field, message, fix: hint }
    await failCesion(ctx, work, failure, { estado, glosa, explanation })
    throw new GiveUp(failure.code, failure.message)
  }
  return { again_at: state.ask_at ?? secondsFrom(ctx.now(), waitOf(facts.submitted_at, ctx.now())) }
}
