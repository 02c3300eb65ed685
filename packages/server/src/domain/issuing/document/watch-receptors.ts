import type { RegisterAction } from '../../../catalog/reception.ts'
import { daysFrom } from '../../../kernel/clock.ts'
import type { JobOutcome } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { RegisteredAnswer } from '../../../ports/sii-reception.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import type { AdvanceContext } from './advance.ts'
import { type Watched, watchReceptors } from './jobs.ts'
import { type RecordContext, recordReceptorAnswer } from './receptor-response.ts'
import { isClaimedAtSii, objectionTo } from './receptor-standing.ts'
import { askedNow, closingOf, endOf, nextLook, settledIn, stretchesOf } from './receptor-watch.ts'
import type { ReceptorAnswer } from './schema.ts'
import { asSiiDocument, type DocumentRow } from './show.ts'
import { findDocumentForUpdate, listTaken, listTakenOf } from './store.ts'

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
  // Not at the end itself: a claim of the last minute may show in the register only after it, and silence is not taken back.
  const lapsed = now.getTime() >= closingOf(row) && row.status !== 'annulled'
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
  const { empresa_id } = scope
  const due_at = daysFrom(tx.now(), 1)
  for (const [name, payload] of stretchesOf(rows)) {
    await tx.enqueue(watchReceptors, { payload, key: `${empresa_id}:${name}`, empresa_id, lane: empresa_id, due_at })
  }
}

/** What the register holds of some documents; null where the SII does not answer. */
async function answersFrom({ ports, now }: JobContext, scope: EmpresaScope, asked: readonly DocumentRow[]) {
  if (asked.length === 0) return new Map<string, readonly RegisteredAnswer[]>()
  const question = { empresa: scope, documents: asked.map(asSiiDocument), at: now() }
  return ports.sii[scope.mode].answersTo(question).catch((error: unknown) => {
    if (error instanceof SiiUnreachable) return null
    throw error
  })
}

export async function readReceptorAnswers(ctx: JobContext, watched: Watched): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const rows =
    'document_ids' in watched
      ? await listTaken(ctx.sql, scope, watched.document_ids)
      : await listTakenOf(ctx.sql, scope, settledIn(watched))
  if (rows.length === 0) return 'done'
  const now = ctx.now()
  const asked = askedNow(rows, now)
  const answers = await answersFrom(ctx, scope, asked)
  if (answers) {
    for (const row of asked) {
      const registered = answers.get(row.id) ?? []
      if (newsOf(row, registered, now).length === 0) continue
      await ctx.transact(async (tx) => {
        const locked = await findDocumentForUpdate(tx.sql, scope, row.id)
        if (locked) await recordRegistered(tx, scope, locked, registered)
      })
    }
  }
  const again_at = nextLook(rows, now, answers !== null)
  return again_at ? { again_at } : 'done'
}
