import { tipo } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import { type Hint, type JobOutcome, notYet } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type SiiStatus, SiiUnreachable, type SiiVerdict } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { jobScope } from '../../platform/empresa/job-empresa.ts'
import type { ReadDocument } from './advance.ts'
import { dataVerdicts, recordDataVerdicts } from './brake.ts'
import { listSentAlone, listSentUnder, toldSent } from './emission-store.ts'
import type { Polled } from './jobs.ts'
import { landSettled } from './land-settled.ts'
import { rewrapDocuments } from './rewrap.ts'
import { settleDocuments } from './settle.ts'
import { asSiiDocument, type DocumentRow } from './show.ts'
import { hasMoved, recordStanding } from './standing.ts'

/** How long the SII took, for whoever asks how it answers these days. The sandbox tells nothing about that. */
function observePace({ ports, mode }: JobContext, settled: readonly DocumentRow[]): void {
  if (mode === null || !MODES[mode].measures_sii) return
  for (const road of ['dte', 'boleta'] as const) {
    const of_road = settled.filter(({ tipo_dte }) => (tipo(tipo_dte).family === 'boleta') === (road === 'boleta'))
    const seconds = of_road.flatMap(({ sent_at, settled_at }) =>
      sent_at && settled_at ? [(settled_at.getTime() - sent_at.getTime()) / 1000] : [],
    )
    if (seconds.length > 0) ports.weather.settled(road, MODES[mode].ambiente_when_emitting, seconds)
  }
}

/**
 * Polls the SII about the documents of an envelope until each has its answer. It is asked outside any transaction; its
 * answer is recorded in one, with the journal and the events.
 */
export async function pollSii(ctx: JobContext, polled: Polled, hint?: Hint): Promise<JobOutcome> {
  const scope = await jobScope(ctx, 'rut' in polled ? polled.rut : undefined)
  if (!scope) return 'done'
  // Where an envelope is kept in order to send it again, whoever asks about it may do so.
  if (ctx.ports.sii[scope.mode].settled) await ctx.requireClaim()
  const rows = hint ? toldSent(hint) : await listSent(ctx, scope, polled)
  if (rows.length === 0) return endPolling(ctx, scope, polled)
  const status = await askSii(ctx, scope, polled, rows).catch((error: unknown) => {
    // It will answer some day; until then the documents stay sent.
    if (error instanceof SiiUnreachable) return error
    throw error
  })
  if (status instanceof SiiUnreachable) return notYet(status)
  const moved = hasMoved(scope, rows, status)
  if (moved) {
    const ids = rows.map(({ id }) => id)
    await ctx.transact((tx) => recordStanding(tx, scope, ids, status))
  }
  if (status.verdicts.size > 0) {
    const sent_with = 'envelope_key' in polled ? polled.data : undefined
    const found = await dataVerdicts(ctx, scope, rows, status.verdicts, sent_with)
    // Where the SII keeps nothing of the envelope, there is nothing left to do once all verdicts are recorded.
    const is_last = rows.every(({ id }) => status.verdicts.has(id)) && !ctx.ports.sii[scope.mode].settled
    const ends = is_last ? [ctx.job_id] : []
    const record = () =>
      ctx.transact(async (tx) => {
        // The empresa before anything under it.
        await recordDataVerdicts(tx, scope, found)
        return settleDocuments(tx, scope, status.verdicts)
      }, ends)
    const lands = !moved && found.length === 0
    const settled = (lands && (await landSettled(ctx, scope, rows, status.verdicts, ends))) || (await record())
    if ('envelope_key' in polled) observePace(ctx, settled)
    if (is_last) return 'ended'
  }
  if (rows.every(({ id }) => status.verdicts.has(id))) return endPolling(ctx, scope, polled)
  return status.ask_at ? { again_at: status.ask_at } : 'not_yet'
}

function listSent(ctx: JobContext, scope: EmpresaScope, polled: Polled): Promise<ReadDocument[]> {
  return 'envelope_key' in polled
    ? listSentUnder(ctx.sql, scope, polled)
    : listSentAlone(ctx.sql, scope, polled.document_id)
}

/** What was kept of the envelope in order to send it again goes once its end is recorded. */
async function endPolling(ctx: JobContext, empresa: EmpresaScope, polled: Polled): Promise<'done'> {
  const sii = ctx.ports.sii[empresa.mode]
  if ('envelope_key' in polled) await sii.settled?.({ empresa, envelope_key: polled.envelope_key })
  return 'done'
}

async function askSii(
  ctx: JobContext,
  scope: EmpresaScope,
  polled: Polled,
  rows: readonly DocumentRow[],
): Promise<SiiStatus> {
  const sii = ctx.ports.sii[scope.mode]
  const documents = rows.map(asSiiDocument)
  if ('envelope_key' in polled) {
    const rewrap = () => rewrapDocuments(ctx, rows)
    return sii.statusOf({ empresa: scope, envelope_key: polled.envelope_key, documents, rewrap, at: ctx.now() })
  }
  const verdicts = new Map<string, SiiVerdict>()
  const doubted = new Map<string, { readonly estado: string; readonly glosa: string | null }>()
  for (const document of documents) {
    const standing = await sii.portal?.statusOf({ empresa: scope, document })
    if (standing?.verdict) verdicts.set(document.id, standing.verdict)
    else if (standing?.doubted) doubted.set(document.id, standing.doubted)
  }
  return { verdicts, doubted, ask_at: null }
}
