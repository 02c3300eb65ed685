import { tipo } from '@timbre/dte/values'
import { MODES } from '../../../catalog/modes.ts'
import { part } from '../../../kernel/db.ts'
import { type JobOutcome, notYet } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type SiiStatus, SiiUnreachable, type SiiVerdict } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { type JobEmpresa, jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { annulOriginals } from '../credit-note/annul.ts'
import { exchangeAccepted } from '../exchange/request.ts'
import { sendAccepted } from '../send/request.ts'
import { type AdvanceContext, advanceDocuments } from './advance.ts'
import { dataVerdicts, recordDataVerdicts } from './brake.ts'
import { type LockedForSettling, listSentAlone, listSentUnder, lockForSettling } from './emission-store.ts'
import { explainVerdict } from './explain-verdict.ts'
import type { Polled } from './jobs.ts'
import { requestResult } from './request-result.ts'
import { rewrapDocuments } from './rewrap.ts'
import { asSiiDocument, type DocumentRow, type SiiAnswerRow } from './show.ts'
import { withTold } from './sii-findings.ts'
import { hasMoved, recordStanding } from './standing.ts'
import { requestWatch } from './watch-receptors.ts'

const TRIGGERS = { accepted: 'sii_accepted', reparo: 'sii_observed', rejected: 'sii_rejected' } as const

/** Groups documents by their answer: those with the same one share a statement. */
function byVerdict(verdicts: ReadonlyMap<string, SiiVerdict>): { verdict: SiiVerdict; ids: string[] }[] {
  const groups = new Map<string, { verdict: SiiVerdict; ids: string[] }>()
  for (const [id, verdict] of verdicts) {
    const name = JSON.stringify(verdict)
    const group = groups.get(name)
    if (group) group.ids.push(id)
    else groups.set(name, { verdict, ids: [id] })
  }
  return [...groups.values()]
}

async function settleGroup(
  tx: AdvanceContext,
  scope: EmpresaScope,
  { verdict, ids }: { readonly verdict: SiiVerdict; readonly ids: string[] },
  locked: readonly LockedForSettling[],
) {
  const { outcome, estado } = verdict
  // The SII has no words for a boleta that it takes.
  const glosa = verdict.glosa || null
  const explanation = await explainVerdict(verdict)
  const answer: SiiAnswerRow = { glosa, explanation, has_finding: verdict.finding !== null }
  return advanceDocuments(tx, scope, {
    trigger: TRIGGERS[outcome],
    ids,
    set: part`, estado = ${estado}, sii_answer = ${JSON.stringify(answer)}::json, failure = null, settled_at = ${tx.now()}`,
    was({ id }) {
      const before = locked.find((row) => row.id === id)
      const { estado = null, sii_answer = null, failure = null } = before ?? {}
      return { estado, sii_answer, failure, settled_at: null }
    },
    detail: () => ({ estado, glosa, ...(explanation && { code: explanation.code }) }),
  })
}

/** Records the SII's verdicts on sent documents and their consequences. Returns the documents whose status changed. */
export async function settleDocuments(
  tx: AdvanceContext,
  scope: EmpresaScope,
  verdicts: ReadonlyMap<string, SiiVerdict>,
): Promise<DocumentRow[]> {
  const locked = await lockForSettling(tx.sql, scope, [...verdicts.keys()])
  const settled: DocumentRow[] = []
  for (const group of byVerdict(withTold(verdicts, locked)))
    settled.push(...(await settleGroup(tx, scope, group, locked)))
  await annulOriginals(tx, scope, locked, settled)
  const valid = settled.filter(({ status }) => status !== 'rejected')
  await sendAccepted(tx, scope, valid)
  await exchangeAccepted(tx, scope, valid)
  await requestWatch(tx, scope, valid)
  await requestResult(tx, scope, settled)
  await tx.reactions.documentsArrived(tx, scope, valid)
  return settled
}

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
export async function pollSii(ctx: JobContext, polled: Polled): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const rows =
    'envelope_key' in polled
      ? await listSentUnder(ctx.sql, scope, polled.envelope_key)
      : await listSentAlone(ctx.sql, scope, polled.document_id)
  if (rows.length === 0) return endPolling(ctx, scope, polled)
  const status = await askSii(ctx, empresa, polled, rows).catch((error: unknown) => {
    // It will answer some day; until then the documents stay sent.
    if (error instanceof SiiUnreachable) return error
    throw error
  })
  if (status instanceof SiiUnreachable) return notYet(status)
  if (hasMoved(rows, status)) {
    const ids = rows.map(({ id }) => id)
    await ctx.transact((tx) => recordStanding(tx, scope, ids, status))
  }
  if (status.verdicts.size > 0) {
    const sent_with = 'envelope_key' in polled ? polled.data : undefined
    const found = await dataVerdicts(empresa, rows, status.verdicts, sent_with)
    // Where the SII keeps nothing of the envelope, there is nothing left to do once all verdicts are recorded.
    const is_last = rows.every(({ id }) => status.verdicts.has(id)) && !ctx.ports.sii[scope.mode].settled
    const settled = await ctx.transact(
      async (tx) => {
        // The empresa before anything under it.
        await recordDataVerdicts(tx, scope, found)
        return settleDocuments(tx, scope, status.verdicts)
      },
      is_last ? [ctx.job_id] : [],
    )
    if ('envelope_key' in polled) observePace(ctx, settled)
    if (is_last) return 'ended'
  }
  if (rows.every(({ id }) => status.verdicts.has(id))) return endPolling(ctx, scope, polled)
  return status.ask_at ? { again_at: status.ask_at } : 'not_yet'
}

/** What was kept of the envelope in order to send it again goes once its end is recorded. */
async function endPolling(ctx: JobContext, empresa: EmpresaScope, polled: Polled): Promise<'done'> {
  const sii = ctx.ports.sii[empresa.mode]
  if ('envelope_key' in polled) await sii.settled?.({ empresa, envelope_key: polled.envelope_key })
  return 'done'
}

async function askSii(
  ctx: JobContext,
  empresa: JobEmpresa,
  polled: Polled,
  rows: readonly DocumentRow[],
): Promise<SiiStatus> {
  const { scope } = empresa
  const sii = ctx.ports.sii[scope.mode]
  const documents = rows.map(asSiiDocument)
  if ('envelope_key' in polled) {
    const rewrap = () => rewrapDocuments(ctx, empresa, rows)
    return sii.statusOf({ empresa: scope, envelope_key: polled.envelope_key, documents, rewrap, at: ctx.now() })
  }
  const verdicts = new Map<string, SiiVerdict>()
  for (const document of documents) {
    const verdict = await sii.portal?.statusOf({ empresa: scope, document })
    if (verdict) verdicts.set(document.id, verdict)
  }
  return { verdicts, ask_at: null }
}
