import type { Entry, JobOutcome, Outcomes } from '../../../kernel/job.ts'
import type { JobContext } from '../../job.ts'
import { claimTrial } from '../../platform/certificate/refuse.ts'
import { getsFolioFromSii } from '../../platform/empresa/channels.ts'
import type { JobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { isDue, refusalsIn, roadOf } from '../../platform/empresa/refusals.ts'
import { holdOf, isWorthATry } from '../../platform/empresa/refused-documents.ts'
import { claimDataTrial } from './brake.ts'
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

/** Whether the SII refuses anything of an empresa that documents may have to wait for. */
export function isHeld({ row: { certificate_refused, documents_refused } }: JobEmpresa): boolean {
  return refusalsIn(certificate_refused).length > 0 || Object.keys(documents_refused).length > 0
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
  if (!isHeld(empresa)) return { ready: entries, waiting: [] }
  const ids = entries.map(({ payload }) => payload.document_id)
  const keys = await listQueuedKeys(ctx.sql, empresa.scope, ids)
  const refused = keys.filter((one) => isSenderRefused(empresa.row, one))
  const tried = await letOneThrough(ctx, empresa, refused)
  // By their data they are judged later than by who sends them: the SII looks at that first.
  const doubtful = keys.filter(
    (one) => !refused.includes(one) && isHeldForData(one) && holdOf(empresa.row, one.tipo_dte) !== null,
  )
  const tried_data = await letOnesThrough(ctx, empresa, doubtful)
  const held = new Set(
    [...refused, ...doubtful].map(({ id }) => id).filter((id) => id !== tried?.id && !tried_data.has(id)),
  )
  const waits = ({ payload }: Entry<Emission>) => held.has(payload.document_id)
  return { ready: entries.filter((entry) => !waits(entry)), waiting: entries.filter(waits) }
}

/** Whether the SII refuses the sender on the road of a document. What the free portal issues takes none. */
function isSenderRefused(
  { certificate_refused }: JobEmpresa['row'],
  { tipo_dte, emission_channel, folio }: QueuedKey,
): boolean {
  const by_portal = folio === null && getsFolioFromSii(emission_channel, tipo_dte)
  return !by_portal && certificate_refused[roadOf(tipo_dte)] !== undefined
}

/** The same of some of one lane. A refusal on one road says nothing of an SII that is away on the other. */
export async function areSendersRefused(
  ctx: JobContext,
  { scope, row }: JobEmpresa,
  entries: readonly Entry<Emission>[],
): Promise<boolean> {
  if (refusalsIn(row.certificate_refused).length === 0) return false
  const ids = entries.map(({ payload }) => payload.document_id)
  return (await listQueuedKeys(ctx.sql, scope, ids)).some((one) => isSenderRefused(row, one))
}

/** One that has its folio may have been sent, and costs no other. */
const isHeldForData = ({ folio, emission_channel, tipo_dte }: QueuedKey) =>
  folio === null && !getsFolioFromSii(emission_channel, tipo_dte)

/** One of each tipo, where it is time to see whether the SII still refuses the data of the empresa. */
async function letOnesThrough(
  ctx: JobContext,
  { scope, row }: JobEmpresa,
  held: readonly QueuedKey[],
): Promise<ReadonlySet<string>> {
  const tried = new Set<string>()
  for (const tipo_dte of new Set(held.map((one) => one.tipo_dte))) {
    const candidate = held.find((one) => one.tipo_dte === tipo_dte)
    const hold = holdOf(row, tipo_dte)
    if (!candidate || !hold || !isWorthATry(row, hold, ctx.now())) continue
    if (await ctx.transact((tx) => claimDataTrial(tx, scope, tipo_dte))) tried.add(candidate.id)
  }
  return tried
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
