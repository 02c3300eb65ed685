import { secondsFrom } from '../../kernel/clock.ts'
import { GiveUp, type JobContext, type JobOutcome } from '../../kernel/job.ts'
import { moveCesion } from '../document/move-cesion.ts'
import { failCesion, questionOf, type Work } from './submit.ts'

/** Seconds to the next question while the register gives no time of its own: the younger the cesión, the sooner. */
function waitOf(submitted_at: string | null, now: Date): number {
  const age = now.getTime() - Date.parse(submitted_at ?? now.toISOString())
  if (age < 120_000) return 10
  return age < 1_200_000 ? 60 : 600
}

/** Asks the register what became of a cesión, and writes the answer down once it is the last one. */
export async function follow(ctx: JobContext, work: Work): Promise<JobOutcome> {
  const { empresa, document, facts, cesion } = work
  const { track_id } = facts
  if (track_id === null) throw new Error(`the cesión ${cesion.id} was submitted without a track id`)
  const state = await ctx.ports.sii[empresa.scope.mode].cesionStateOf({ ...questionOf(ctx, work), track_id })
  const { estado, glosa } = state
  const { explain } = await import('@timbre/dte/emission')
  const { code, outcome, field, message, hint } = explain({ source: 'rtc_envio', code: estado, text: glosa })
  if (outcome === 'ok') {
    await ctx.transact((tx) => {
      const confirmed = { ...facts, estado, glosa, settled_at: tx.now().toISOString() }
      return moveCesion(tx, empresa.scope, document, 'confirmed', confirmed)
    })
    return { done: { cesion_id: cesion.id, document_id: document.id, track_id, estado } }
  }
  if (outcome === 'rejected') {
    const failure = { code, message: `The register of the SII refused the cesión: ${glosa}` }
    const explanation = { code, field, message, fix: hint }
    await failCesion(ctx, work, failure, { estado, glosa, explanation })
    throw new GiveUp(failure.code, failure.message)
  }
  return { again_at: state.ask_at ?? secondsFrom(ctx.now(), waitOf(facts.submitted_at, ctx.now())) }
}
