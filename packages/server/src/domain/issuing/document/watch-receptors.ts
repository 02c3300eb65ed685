import { ANSWER_DAYS, ANSWERABLE_TIPOS } from '@timbre/dte/values'
import type { RegisterAction } from '../../../catalog/reception.ts'
import { daysFrom, secondsFrom } from '../../../kernel/clock.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { RegisteredAnswer } from '../../../ports/sii-reception.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import type { AdvanceContext } from './advance.ts'
import { watchReceptors } from './jobs.ts'
import { type RecordContext, recordReceptorAnswer } from './receptor-response.ts'
import { isClaimedAtSii, objectionTo } from './receptor-standing.ts'
import type { ReceptorAnswer } from './schema.ts'
import { asSiiDocument, type DocumentRow } from './show.ts'
import { findDocumentForUpdate, listTaken } from './store.ts'

/** Leaves the register the time to show what came at the last minute. */
const AFTER_THE_END_SECONDS = 3_600
/** How long an SII that does not answer is asked after the eight days. */
const PATIENCE_DAYS = 30

/** Ley 19.983, art. 3: eight days from when the SII received it. */
const endOf = ({ sent_at, created_at }: DocumentRow) => daysFrom(sent_at ?? created_at, ANSWER_DAYS)

const ACTIONS: Readonly<Record<RegisterAction, ReceptorAnswer['action']>> = {
  ACD: 'accepted',
  ERM: 'receipt_acknowledged',
  RCD: 'claimed',
  RFP: 'claimed',
  RFT: 'claimed',
}

function asAnswer({ action, person_rut, at }: RegisteredAnswer): ReceptorAnswer {
  const known = { source: 'sii', reason: null, signature: null, at: at.toISOString() } as const
  return { ...known, action: ACTIONS[action], code: action, signer_rut: person_rut }
}

/** Silence for eight days accepts the document and acknowledges what it sold. */
function bySilence(row: DocumentRow): ReceptorAnswer {
  const known = { source: 'sii', code: null, reason: null, signature: null, signer_rut: null } as const
  return { ...known, action: 'accepted_tacitly', at: endOf(row).toISOString() }
}

/** What the register holds of a document and is not on it yet. */
function newsOf(row: DocumentRow, registered: readonly RegisteredAnswer[], now: Date): ReceptorAnswer[] {
  const known = [...(row.receptor_response ?? [])]
  const answers = registered.map(asAnswer)
  const lapsed = now >= endOf(row) && row.status !== 'annulled'
  const decided = [...known, ...answers].some(({ source, action }) => source === 'sii' && action === 'accepted')
  const silent = lapsed && !decided && !isClaimedAtSii([...known, ...answers])
  return [...answers, ...(silent ? [bySilence(row)] : [])].filter((answer) => objectionTo(answer, known) === null)
}

/** Records what the register holds of a document that the caller has locked. Returns it as it is then. */
export async function recordRegistered(
  tx: RecordContext,
  scope: EmpresaScope,
  locked: DocumentRow,
  registered: readonly RegisteredAnswer[],
): Promise<DocumentRow> {
  let row = locked
  for (const answer of newsOf(row, registered, tx.now())) {
    const recorded = await recordReceptorAnswer(tx, scope, row, answer)
    if ('row' in recorded) row = recorded.row
  }
  return row
}

/** Has the register asked about documents that the SII just took, those that a receptor may answer there. */
export async function requestWatch(
  tx: Pick<AdvanceContext, 'now' | 'enqueue'>,
  scope: EmpresaScope,
  rows: readonly DocumentRow[],
): Promise<void> {
  const document_ids = rows.filter(({ tipo_dte }) => ANSWERABLE_TIPOS.includes(tipo_dte)).map(({ id }) => id)
  if (document_ids.length === 0) return
  const { empresa_id } = scope
  await tx.enqueue(watchReceptors, {
    payload: { document_ids },
    empresa_id,
    lane: empresa_id,
    due_at: daysFrom(tx.now(), 1),
  })
}

export async function readReceptorAnswers(
  ctx: JobContext,
  { document_ids }: { readonly document_ids: readonly string[] },
): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const rows = await listTaken(ctx.sql, scope, document_ids)
  if (rows.length === 0) return 'done'
  const now = ctx.now()
  const question = { empresa: scope, documents: rows.map(asSiiDocument), at: now }
  const answers = await ctx.ports.sii[scope.mode].answersTo(question).catch((error: unknown) => {
    if (error instanceof SiiUnreachable) return null
    throw error
  })
  if (answers) {
    for (const row of rows) {
      const registered = answers.get(row.id) ?? []
      if (newsOf(row, registered, now).length === 0) continue
      await ctx.transact(async (tx) => {
        const locked = await findDocumentForUpdate(tx.sql, scope, row.id)
        if (locked) await recordRegistered(tx, scope, locked, registered)
      })
    }
  }
  const last = secondsFrom(new Date(Math.max(...rows.map((row) => endOf(row).getTime()))), AFTER_THE_END_SECONDS)
  if (now >= (answers ? last : daysFrom(last, PATIENCE_DAYS))) return 'done'
  const tomorrow = daysFrom(now, 1)
  return { again_at: now < last && last < tomorrow ? last : tomorrow }
}
