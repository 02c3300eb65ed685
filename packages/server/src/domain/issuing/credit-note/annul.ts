import { MODES } from '../../../catalog/modes.ts'
import { daysFrom } from '../../../kernel/clock.ts'
import { type JobOutcome, notYet } from '../../../kernel/job.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { SiiUnreachable } from '../../../ports/sii.ts'
import type { JobContext } from '../../job.ts'
import { jobEmpresa } from '../../platform/empresa/job-empresa.ts'
import { type AdvanceContext, advanceDocuments } from '../document/advance.ts'
import { confirmAnnulment } from '../document/jobs.ts'
import { findDocument } from '../document/read.ts'
import { asSiiDocument, type DocumentRow } from '../document/show.ts'
import { VALID } from './rules.ts'

/**
 * A valid nota annuls the accepted document it names, whichever of the two the SII answered last. `locked` is both
 * sides as they were before, locked by this transaction; `settled` is what has just changed.
 */
export async function annulOriginals(
  tx: AdvanceContext,
  scope: EmpresaScope,
  locked: readonly Pick<DocumentRow, 'id' | 'status' | 'annuls_id'>[],
  settled: readonly DocumentRow[],
): Promise<void> {
  const statuses = new Map([...locked, ...settled].map(({ id, status }) => [id, status]))
  const notes = new Map<string, string>()
  for (const { id, annuls_id } of locked) {
    if (annuls_id === null || !VALID.includes(statuses.get(id) ?? '')) continue
    if (statuses.get(annuls_id) === 'accepted' && !notes.has(annuls_id)) notes.set(annuls_id, id)
  }
  if (MODES[scope.mode].sii_confirms_annulments) return requestConfirmation(tx, scope, notes)
  await annul(tx, scope, notes)
}

/** Originals by id, each with the nota that annuls it. */
type Notes = ReadonlyMap<string, string>

async function annul(tx: AdvanceContext, scope: EmpresaScope, notes: Notes): Promise<void> {
  await advanceDocuments(tx, scope, {
    trigger: 'note_accepted',
    ids: [...notes.keys()],
    detail: (id) => ({ document_id: notes.get(id) }),
  })
}

async function requestConfirmation(tx: AdvanceContext, { empresa_id }: EmpresaScope, notes: Notes): Promise<void> {
  for (const [document_id, note_id] of notes) {
    await tx.enqueue(confirmAnnulment, { payload: { document_id, note_id }, empresa_id, lane: empresa_id })
  }
}

/** How long the SII is asked. A nota that it accepted and that annulled nothing by then is for a person to look at. */
const PATIENCE_DAYS = 30

/** Asks the SII whether the original of an accepted nota is annulled there, and records it once it is (`ANC`). */
export async function confirmWithSii(
  ctx: JobContext,
  { document_id, note_id }: { readonly document_id: string; readonly note_id: string },
): Promise<JobOutcome> {
  const empresa = await jobEmpresa(ctx)
  if (!empresa) return 'done'
  const { scope } = empresa
  const [original, note] = await Promise.all([document_id, note_id].map((id) => findDocument(ctx.sql, scope, id)))
  if (original?.status !== 'accepted' || !note?.settled_at) return 'done'
  const question = { empresa: scope, document: asSiiDocument(original), at: ctx.now() }
  const annulled = await ctx.ports.sii[scope.mode].isAnnulled(question).catch((error: unknown) => {
    if (error instanceof SiiUnreachable) return error
    throw error
  })
  if (annulled === true) {
    await ctx.transact((tx) => annul(tx, scope, new Map([[document_id, note_id]])))
    return 'done'
  }
  if (ctx.now() > daysFrom(note.settled_at, PATIENCE_DAYS)) return 'done'
  return annulled instanceof SiiUnreachable ? notYet(annulled) : 'not_yet'
}
