import { MODES } from '../../../catalog/modes.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import type { Entry, JobOutcome, Outcomes } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import { listHeldNotas } from './emission-store.ts'
import type { Emission } from './jobs.ts'

/** Seconds to the next look at an original that is under way; the last one repeats. */
const LOOK_SECONDS = [5, 10, 30, 60, 300]

/**
 * A nota goes to the SII after the document that it corrects: one to a document that the SII has not answered about waits
 * for the answer. Gives the rest of the batch, and when those that wait are looked at again.
 */
export async function holdNotas(
  ctx: JobContext,
  scope: EmpresaScope,
  entries: readonly Entry<Emission>[],
): Promise<{ readonly ready: readonly Entry<Emission>[]; readonly held: Outcomes }> {
  if (!MODES[scope.mode].notas_wait_for_original) return { ready: entries, held: new Map() }
  const ids = entries.map(({ payload }) => payload.document_id)
  const waiting = new Set(await listHeldNotas(ctx.sql, scope, ids))
  const held = new Map<string, JobOutcome>()
  for (const { id, payload, looks } of entries) {
    if (!waiting.has(payload.document_id)) continue
    const seconds = LOOK_SECONDS[Math.min(looks, LOOK_SECONDS.length - 1)] ?? 0
    held.set(id, { again_at: secondsFrom(ctx.now(), seconds) })
  }
  return { ready: entries.filter(({ id }) => !held.has(id)), held }
}
