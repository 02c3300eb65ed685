import type { Entry, JobOutcome, Outcomes } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import { claimTrial } from '../../platform/certificate/refuse.ts'
import { getsFolioFromSii } from '../../platform/empresa/channels.ts'
import type { JobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { isDue, refusalsIn, roadOf } from '../../platform/empresa/refusals.ts'
import { listQueuedKeys, type QueuedKey } from './emission-store.ts'
import type { Emission } from './jobs.ts'

/** A document that waits for a person looks at least so often, in case nobody called it. */
const LOOK_SECONDS = 900

/** Puts documents off for as long as the SII does not let the holder of the certificate send. */
export function waitForPerson(
  ctx: Pick<JobContext, 'now'>,
  { row }: JobEmpresa,
  entries: readonly Entry<Emission>[],
): Outcomes {
  const now = ctx.now().getTime()
  const due = refusalsIn(row.certificate_refused).map(({ retry_at }) => Date.parse(retry_at))
  const next = Math.min(now + LOOK_SECONDS * 1000, ...due)
  const outcome: JobOutcome = { again_at: new Date(Math.max(now + 1000, next)) }
  return new Map(entries.map(({ id }) => [id, outcome]))
}

/**
 * While the SII does not let the holder of the certificate send, documents wait before a folio is drawn for them. When it is
 * time to ask again, one of them is let through: it asks by being sent, and what it has drawn is its own, whatever comes
 * of it. One that has its folio goes first.
 */
export async function holdRefused(
  ctx: JobContext,
  empresa: JobEmpresa,
  entries: readonly Entry<Emission>[],
): Promise<{ readonly ready: readonly Entry<Emission>[]; readonly waiting: readonly Entry<Emission>[] }> {
  const { certificate_refused } = empresa.row
  if (refusalsIn(certificate_refused).length === 0) return { ready: entries, waiting: [] }
  const ids = entries.map(({ payload }) => payload.document_id)
  const keys = await listQueuedKeys(ctx.sql, empresa.scope, ids)
  const refused = keys.filter(({ tipo_dte, emission_channel, folio }) => {
    const by_portal = folio === null && getsFolioFromSii(emission_channel, tipo_dte)
    return !by_portal && certificate_refused[roadOf(tipo_dte)] !== undefined
  })
  const tried = await letOneThrough(ctx, empresa, refused)
  const held = new Set(refused.map(({ id }) => id).filter((id) => id !== tried?.id))
  const waits = ({ payload }: Entry<Emission>) => held.has(payload.document_id)
  return { ready: entries.filter((entry) => !waits(entry)), waiting: entries.filter(waits) }
}

async function letOneThrough(
  ctx: JobContext,
  { scope, row }: JobEmpresa,
  refused: readonly QueuedKey[],
): Promise<QueuedKey | null> {
  const candidate = refused.find(({ folio }) => folio !== null) ?? refused[0]
  const road = candidate && roadOf(candidate.tipo_dte)
  const refusal = road && row.certificate_refused[road]
  if (!candidate || !road || !refusal || !isDue(refusal, ctx.now())) return null
  return (await ctx.transact((tx) => claimTrial(tx, scope, road))) ? candidate : null
}
