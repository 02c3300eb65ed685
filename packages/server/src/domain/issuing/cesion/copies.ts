import { DAY_SECONDS, HOUR_SECONDS } from '../../../catalog/time.ts'
import { secondsFrom } from '../../../kernel/clock.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import type { JobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { type CesionRow, saveRefusedSince } from './store.ts'

/** So long an earlier copy has to be decided. What the register does with a second one is not known (unverified). */
const PATIENCE_SECONDS = DAY_SECONDS

/**
 * When to look again at a cesión of which a copy was refused: in an hour, then after as long as it has been refused.
 * Null where no other copy can have left, or its time is over: then the refusal is what became of it.
 */
export function lookAgainAt(
  { refused_since }: Pick<CesionRow, 'refused_since'>,
  other_copies: number,
  now: Date,
): Date | null {
  if (other_copies < 1) return null
  const age = refused_since === null ? 0 : (now.getTime() - refused_since.getTime()) / 1000
  return age >= PATIENCE_SECONDS ? null : secondsFrom(now, Math.max(HOUR_SECONDS, age))
}

/** Waits for a copy of a cesión that may yet be registered; null where none can, or its time is over. */
export async function waitForOtherCopy(
  ctx: JobContext,
  { empresa, cesion }: { readonly empresa: Pick<JobEmpresa, 'scope'>; readonly cesion: CesionRow },
  other_copies: number,
): Promise<JobOutcome | null> {
  const again_at = lookAgainAt(cesion, other_copies, ctx.now())
  if (!again_at) return null
  await ctx.transact((tx) => saveRefusedSince(tx.sql, empresa.scope, cesion.id, tx.now()))
  return { again_at }
}
