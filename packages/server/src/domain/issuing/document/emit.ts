import { secondsFrom } from '../../../kernel/clock.ts'
import type { Entry, JobOutcome, Outcomes } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SenderRefused, SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext, JobTransaction } from '../../job.ts'
import { refuseCertificate } from '../../platform/certificate/refuse.ts'
import { custodyGap } from '../../platform/empresa/custody.ts'
import { type JobEmpresa, jobEmpresa, knownEmpresa } from '../../platform/empresa/job-empresa.ts'
import { assignFolios } from './assign-folios.ts'
import { resolucionFor } from './emisor.ts'
import { listQueued, type QueuedRow, saveXml, toldQueued } from './emission-store.ts'
import { emitAtOnce } from './emit-at-once.ts'
import { emitAtPortal, leavesByPortal } from './emit-at-portal.ts'
import { failDocuments, failureOf } from './fail.ts'
import { holdNotas } from './hold-notas.ts'
import { areSendersRefused, holdRefused, isHeld, waitForPerson } from './hold-refused.ts'
import { type Emission, emitDocuments } from './jobs.ts'
import { numberAndSign } from './number-and-sign.ts'
import { signDocuments } from './sign.ts'
import type { SignedDocument } from './sign-anew.ts'
import { type EmissionJobs, submitDocuments } from './submit.ts'

/** Seconds to the next try while the SII does not answer. The last one repeats, for about a day. */
const OUTAGE_SECONDS = [1, 2, 5, 15, 60, 300, 900]
const OUTAGE_TRIES = 102

/** Seconds to the next look at folios that the SII is asked for. Their arrival wakes whoever waits. */
const FOLIO_SECONDS = 60

const BATCHED_RUNS = 2
/**
 * Seconds to each isolated run, jittered over their second half. They grow to hours: a process that is killed again and
 * again for other reasons must not fail a document that only happened to be in its batch each time.
 */
const ISOLATED_SECONDS = [5, 5, 5, 5, 15, 60, 300, 900, 3_600, 3_600]
const MOST_RUNS = BATCHED_RUNS + ISOLATED_SECONDS.length

export async function emitQueued(ctx: JobContext, entries: readonly Entry<Emission>[]): Promise<Outcomes> {
  const is_first = entries.every(({ hint }) => hint !== undefined)
  const empresa = await (is_first ? knownEmpresa(ctx) : jobEmpresa(ctx))
  if (!empresa) return new Map()
  const { ready, held } = await holdNotas(ctx, empresa.scope, entries)
  // What keeps documents back must be what is so now: whoever ends it wakes those that wait.
  if ((held.size > 0 || isHeld(empresa)) && (await ctx.requireClaim())) return emitQueued(ctx, entries.map(untold))
  return new Map([...held, ...(await emitReady(ctx, empresa, ready))])
}

/** A job whose document is read again. */
const untold = ({ id, payload, attempt, looks }: Entry<Emission>): Entry<Emission> => ({ id, payload, attempt, looks })

async function emitReady(ctx: JobContext, empresa: JobEmpresa, entries: readonly Entry<Emission>[]): Promise<Outcomes> {
  const sound = await isolateSuspects(ctx, empresa.scope, entries)
  const { ready, waiting } = await holdRefused(ctx, empresa, sound)
  const outcomes = ready.length === 0 ? new Map() : await emitOrWait(ctx, empresa, ready)
  if (waiting.length === 0) return outcomes
  const current = await jobEmpresa(ctx)
  if (!current) return outcomes
  // Where the SII took the one that was let through, the others go at once.
  const again = await holdRefused(ctx, current, waiting)
  const rest = again.ready.length === 0 ? [] : await emitOrWait(ctx, current, again.ready)
  return new Map([...outcomes, ...rest, ...waitForPerson(ctx, current, again.waiting)])
}

/** Tries after which an answer that may be about the session is one about the person: sessions were made anew each time. */
const DOUBTED_TRIES = 5

function isBelieved({ facts }: SenderRefused, entries: readonly Entry<Emission>[]): boolean {
  return facts.certain || entries.some(({ looks }) => looks >= DOUBTED_TRIES)
}

async function emitOrWait(
  ctx: JobContext,
  empresa: JobEmpresa,
  entries: readonly Entry<Emission>[],
): Promise<Outcomes> {
  const { scope } = empresa
  try {
    const jobs = new Map(entries.map(({ id, payload }) => [payload.document_id, id]))
    const hints = entries.flatMap(({ hint }) => hint ?? [])
    const told = hints.length === entries.length ? toldQueued(hints) : null
    const anew = () => emitQueued(ctx, entries.map(untold))
    return await emit(ctx, empresa, [...jobs.keys()], jobs, { told, anew })
  } catch (error) {
    if (error instanceof SenderRefused && isBelieved(error, entries))
      await ctx.transact((tx) => refuseCertificate(tx, scope, error.facts))
    if (!(error instanceof SiiUnreachable)) throw error
    const current = await jobEmpresa(ctx)
    const refused = current !== null && (await areSendersRefused(ctx, current, entries))
    return refused ? waitForPerson(ctx, current, entries) : waitForSii(ctx, scope, entries, error)
  }
}

/** What a batch may be that was not claimed before (`claims_late`). */
interface FirstRun {
  /** Its documents as they were told along with their jobs, where they were. */
  readonly told: QueuedRow[] | null
  /** From the beginning, now that it is claimed. */
  readonly anew: () => Promise<Outcomes>
}

/**
 * Takes one batch from the queue to the SII. Every step reads what the last one left, so it can be repeated after a
 * crash at any instant: a folio that was drawn stays, an XML that was signed is the one that is sent. Gives the outcome of
 * jobs that are not simply done: their end was recorded with what they did, or they wait for folios.
 */
async function emit(
  ctx: JobContext,
  empresa: JobEmpresa,
  ids: readonly string[],
  jobs: EmissionJobs,
  first?: FirstRun,
): Promise<Outcomes> {
  const { scope } = empresa
  const batch = first?.told ?? (await listQueued(ctx.sql, scope, ids))
  const [oldest] = batch
  if (!oldest) return new Map()
  const { row } = empresa
  // One that was signed may have been sent: it waits, as for an SII that does not answer.
  const gapOf = ({ emission_channel, tipo_dte }: QueuedRow) =>
    custodyGap({ ...row, emission_channel }, tipo_dte, ctx.now())
  // One that the SII's refusal of the person concerns was held before, or is let through to ask again.
  const unsignable = (one: QueuedRow) =>
    one.xml === null && ![null, 'certificate_refused', 'documents_refused'].includes(gapOf(one))
  const inactive_unsigned = ({ xml }: QueuedRow) => xml === null && row.status !== 'active'
  const stopped = batch.filter((one) => inactive_unsigned(one) || unsignable(one))
  if (stopped.length > 0) {
    if (first && (await ctx.requireClaim())) return first.anew()
    const inactive = stopped.map(({ id }) => ({ id, ...failureOf('empresa_inactive') }))
    await ctx.transact((tx) => failDocuments(tx, scope, inactive))
    const rest = ids.filter((id) => !stopped.some((one) => one.id === id))
    return rest.length > 0 ? emit(ctx, empresa, rest, jobs) : new Map()
  }
  const { portal } = ctx.ports.sii[scope.mode]
  const by_portal = portal ? batch.filter(leavesByPortal) : []
  if (portal && by_portal.length > 0) {
    if (first && (await ctx.requireClaim())) return first.anew()
    await emitAtPortal(ctx, empresa, portal, by_portal)
    // What the portal did not get to, because its credential was refused, is judged anew; and so are those it does not issue.
    const current = await jobEmpresa(ctx)
    return current ? emit(ctx, current, ids, jobs) : new Map()
  }
  // Without one the batch fails below, which a row from the cache must not decide.
  const resolucion = resolucionFor(row, oldest.tipo_dte)
  const ends = resolucion === null ? null : await emitAtOnce(ctx, empresa, resolucion, batch, jobs)
  if (ends !== null) return new Map(ends.map((id) => [id, 'ended']))
  const at_once = resolucion === null ? null : await numberAndSign(ctx, scope, batch)
  if (!at_once && first && (await ctx.requireClaim())) return first.anew()
  const { numbered, waiting } = at_once ? { numbered: [], waiting: [] } : await assignFolios(ctx, scope, batch)
  const signed = at_once ?? (await signBatch(ctx, scope, numbered))
  const { ended, waiting: unshown } = await submitDocuments(ctx, empresa, signed, jobs)
  const again_at = secondsFrom(ctx.now(), FOLIO_SECONDS)
  const outcomes = new Map<string, JobOutcome | Error>(ended.map((id) => [id, 'ended']))
  for (const id of waiting) outcomes.set(jobs.get(id) ?? '', { again_at })
  for (const { row } of signed) {
    const shown_at = unshown.get(row.id)
    if (shown_at) outcomes.set(jobs.get(row.id) ?? '', { again_at: shown_at })
  }
  // A worker whose lease ran out numbered or signed these meanwhile; it may be dead, so they are emitted here.
  const dealt_with = new Set([...signed.map(({ row }) => row.id), ...waiting])
  const overtaken = batch.filter(({ id }) => !dealt_with.has(id)).map(({ id }) => id)
  return overtaken.length > 0 ? new Map([...outcomes, ...(await emit(ctx, empresa, overtaken, jobs))]) : outcomes
}

/** The batch with its XML: what was signed before as it is, the rest signed now and stored before anything is sent. */
async function signBatch(ctx: JobContext, scope: EmpresaScope, batch: readonly QueuedRow[]): Promise<SignedDocument[]> {
  const unsigned = batch.filter(({ xml }) => xml === null)
  const { signed, failed } = await signDocuments(ctx, scope, unsigned)
  const save = async (tx: JobTransaction) => {
    await failDocuments(tx, scope, failed)
    return saveXml(tx.sql, scope, signed, tx.now())
  }
  const saved = unsigned.length === 0 ? new Set() : await ctx.transact(save)
  const fresh = new Map(signed.filter(({ id }) => saved.has(id)).map(({ id, xml }) => [id, xml]))
  return batch.flatMap((row) => {
    const xml = row.xml ?? fresh.get(row.id)
    return xml ? [{ row, xml }] : []
  })
}

/** While the SII does not answer, documents stay queued and are retried later; after a day they fail. */
async function waitForSii(
  ctx: JobContext,
  scope: EmpresaScope,
  entries: readonly Entry<Emission>[],
  { waits_for, again_at }: SiiUnreachable,
): Promise<Outcomes> {
  const outcomes = new Map<string, JobOutcome>()
  for (const { id, looks } of entries) {
    const seconds = OUTAGE_SECONDS[Math.min(looks, OUTAGE_SECONDS.length - 1)] ?? 0
    const next = again_at ?? secondsFrom(ctx.now(), seconds)
    if (looks + 1 < OUTAGE_TRIES) outcomes.set(id, { again_at: next, waits_for })
  }
  const given_up = entries.filter(({ id }) => !outcomes.has(id)).map(({ payload }) => payload.document_id)
  await failAll(ctx, scope, given_up, 'sii_unreachable')
  return outcomes
}

/**
 * A document that crashes its worker takes its whole batch with it. Those whose runs keep crashing are therefore
 * enqueued alone, each in a lane of its own, and fail after the last try. Returns the rest of the batch.
 */
async function isolateSuspects(
  ctx: JobContext,
  scope: EmpresaScope,
  entries: readonly Entry<Emission>[],
): Promise<readonly Entry<Emission>[]> {
  const crashes = ({ payload, attempt }: Entry<Emission>) => (payload.tries ?? 0) + attempt - 1
  const suspect = (entry: Entry<Emission>) => entry.attempt > (entry.payload.tries === undefined ? BATCHED_RUNS : 1)
  const suspects = entries.filter(suspect)
  if (suspects.length === 0) return entries
  const lost = suspects.filter((entry) => crashes(entry) >= MOST_RUNS).map(({ payload }) => payload.document_id)
  await failAll(ctx, scope, lost, 'internal_error')
  await ctx.transact(async (tx) => {
    for (const entry of suspects.filter((one) => crashes(one) < MOST_RUNS)) {
      const { document_id } = entry.payload
      const tries = crashes(entry)
      await tx.enqueue(emitDocuments, {
        payload: { document_id, tries },
        lane: `${scope.empresa_id}:${document_id}`,
        due_at: secondsFrom(tx.now(), ((ISOLATED_SECONDS[tries - BATCHED_RUNS] ?? 0) * (1 + Math.random())) / 2),
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
