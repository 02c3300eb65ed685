import { secondsFrom, systemNow } from '../../../kernel/clock.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { SealedStore } from '../../../kernel/sealed.ts'
import type { JobContext } from '../../job.ts'
import { countSealed } from './remaining.ts'
import { recordRemaining } from './store.ts'

const BATCH = 100
const BATCHES = 20
/** What is left ends by itself (a session, an answer that may be asked for again): looked at now and then. */
const LOOK_SECONDS = 600

/** One bounded run over a store. True when it was not walked to its end. */
async function resealSome({ sql, ports }: JobContext, { reseal }: SealedStore): Promise<boolean> {
  let after: string | null = ''
  for (let batch = 0; batch < BATCHES && after !== null; batch++) {
    after = (await reseal?.(sql, ports.vault, after, BATCH)) ?? null
  }
  return after !== null
}

/** Each row is sealed anew by itself, if nobody changed it meanwhile: no lock is held, and a crash loses nothing. */
export async function resealAll(
  ctx: JobContext,
  { version }: { readonly version: number },
  stores: readonly SealedStore[],
): Promise<JobOutcome> {
  // A worker that does not seal with this key yet leaves it to one that does.
  if (ctx.ports.vault.version < version) return 'not_yet'
  let more = false
  for (const store of stores) more = (await resealSome(ctx, store)) || more
  const found = (await countSealed(ctx.sql, stores)).filter((each) => each.version < version)
  const remaining = new Map<number, number>()
  for (const each of found) remaining.set(each.version, (remaining.get(each.version) ?? 0) + each.count)
  await recordRemaining(ctx.sql, remaining, version)
  if (found.length === 0) return 'done'
  return { again_at: secondsFrom(new Date(systemNow()), more ? 1 : LOOK_SECONDS) }
}
