import { secondsFrom } from '../../../kernel/clock.ts'
import type { Entry, JobOutcome, Outcomes } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { empresaOfJob, type JobEmpresa } from '../../platform/empresa/of-job.ts'
import { assignFolios } from './assign-folios.ts'
import { listQueued, type QueuedRow, saveXml } from './emission-store.ts'
import { failDocuments, failureOf } from './fail.ts'
import { type Emission, emitDocuments } from './jobs.ts'
import { signDocuments } from './sign.ts'
import { type SignedDocument, submitDocuments } from './submit.ts'

/** While the SII does not answer: seconds to the next try. The last one repeats, for about a day. */
const OUTAGE_SECONDS = [1, 2, 5, 15, 60, 300, 900]
const OUTAGE_TRIES = 102

const RUNS_IN_COMPANY = 2
/**
 * Seconds to each run alone, spread over their second half. They grow to hours: a process that is killed again and
 * again for other reasons must not make a document fail that only happened to be in hand each time.
 */
const APART_SECONDS = [5, 5, 5, 5, 15, 60, 300, 900, 3_600, 3_600]
const RUNS_ALL_TOLD = RUNS_IN_COMPANY + APART_SECONDS.length

export async function emitQueued(ctx: JobContext, entries: readonly Entry<Emission>[]): Promise<Outcomes> {
  const empresa = await empresaOfJob(ctx)
  if (!empresa) return new Map()
  const sound = await setApart(ctx, empresa.scope, entries)
  if (sound.length === 0) return new Map()
  try {
    await emit(
      ctx,
      empresa,
      sound.map(({ payload }) => payload.document_id),
    )
    return new Map()
  } catch (error) {
    if (error instanceof SiiUnreachable) return waitForSii(ctx, empresa.scope, sound)
    throw error
  }
}

/**
 * One batch from the queue to the SII. Every step reads what the last one left, so it can be repeated after a crash at
 * any instant: a folio that was drawn stays, an XML that was signed is the one that is sent.
 */
async function emit(ctx: JobContext, empresa: JobEmpresa, ids: readonly string[]): Promise<void> {
  const { scope } = empresa
  const batch = await listQueued(ctx.sql, scope, ids)
  if (batch.length === 0) return
  if (empresa.row.status !== 'active') {
    const inactive = batch.map(({ id }) => ({ id, ...failureOf('empresa_inactive') }))
    await ctx.transact((tx) => failDocuments(tx, scope, inactive))
    return
  }
  const signed = await signBatch(ctx, scope, await assignFolios(ctx, scope, batch))
  await submitDocuments(ctx, empresa, signed)
  // Another worker that was thought dead numbered or signed these in between; whether it goes on is not known.
  const sent = new Set(signed.map(({ row }) => row.id))
  const overtaken = batch.filter(({ id }) => !sent.has(id)).map(({ id }) => id)
  if (overtaken.length > 0) await emit(ctx, empresa, overtaken)
}

/** The batch with its XML: what was signed before as it is, the rest signed now and kept before anything leaves. */
async function signBatch(ctx: JobContext, scope: EmpresaScope, batch: readonly QueuedRow[]): Promise<SignedDocument[]> {
  const unsigned = batch.filter(({ xml }) => xml === null)
  const { signed, failed } = await signDocuments(ctx, scope, unsigned)
  const keep = async (tx: JobTransaction) => {
    await failDocuments(tx, scope, failed)
    return saveXml(tx.sql, scope, signed, tx.now())
  }
  const kept = unsigned.length === 0 ? new Set() : await ctx.transact(keep)
  const fresh = new Map(signed.filter(({ id }) => kept.has(id)).map(({ id, xml }) => [id, xml]))
  return batch.flatMap((row) => {
    const xml = row.xml ?? fresh.get(row.id)
    return xml ? [{ row, xml }] : []
  })
}

/** Documents whose SII does not answer stay queued: they come back later, and after a day they fail. */
async function waitForSii(
  ctx: JobContext,
  scope: EmpresaScope,
  entries: readonly Entry<Emission>[],
): Promise<Outcomes> {
  const outcomes = new Map<string, JobOutcome>()
  for (const { id, looks } of entries) {
    const seconds = OUTAGE_SECONDS[Math.min(looks, OUTAGE_SECONDS.length - 1)] ?? 0
    if (looks + 1 < OUTAGE_TRIES) outcomes.set(id, { again_at: secondsFrom(ctx.now(), seconds) })
  }
  const given_up = entries.filter(({ id }) => !outcomes.has(id)).map(({ payload }) => payload.document_id)
  await failAll(ctx, scope, given_up, 'sii_unreachable')
  return outcomes
}

/**
 * A document that ends its worker ends the run of its whole batch. So those whose runs keep not ending are run alone,
 * each at a moment of its own, where they can harm nobody twice; and one that does it to the end fails. Gives the rest.
 */
async function setApart(
  ctx: JobContext,
  scope: EmpresaScope,
  entries: readonly Entry<Emission>[],
): Promise<readonly Entry<Emission>[]> {
  const unended = ({ payload, attempt }: Entry<Emission>) => (payload.tries ?? 0) + attempt - 1
  const suspect = (entry: Entry<Emission>) => entry.attempt > (entry.payload.tries === undefined ? RUNS_IN_COMPANY : 1)
  const suspects = entries.filter(suspect)
  if (suspects.length === 0) return entries
  const lost = suspects.filter((entry) => unended(entry) >= RUNS_ALL_TOLD).map(({ payload }) => payload.document_id)
  await failAll(ctx, scope, lost, 'internal_error')
  await ctx.transact(async (tx) => {
    for (const entry of suspects.filter((one) => unended(one) < RUNS_ALL_TOLD)) {
      const { document_id } = entry.payload
      const tries = unended(entry)
      await tx.enqueue(emitDocuments, {
        payload: { document_id, tries },
        lane: `${scope.empresa_id}:${document_id}`,
        due_at: secondsFrom(tx.now(), ((APART_SECONDS[tries - RUNS_IN_COMPANY] ?? 0) * (1 + Math.random())) / 2),
      })
    }
  })
  return entries.filter((entry) => !suspect(entry))
}

async function failAll(
  ctx: JobContext,
  scope: EmpresaScope,
  ids: readonly string[],
  code: Parameters<typeof failureOf>[0],
): Promise<void> {
  if (ids.length === 0) return
  await ctx.transact((tx) =>
    failDocuments(
      tx,
      scope,
      ids.map((id) => ({ id, ...failureOf(code) })),
    ),
  )
}
