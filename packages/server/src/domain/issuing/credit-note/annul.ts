import type { EmpresaScope } from '../../../kernel/scope.ts'
import { type AdvanceContext, advanceDocuments } from '../document/advance.ts'
import type { DocumentRow } from '../document/show.ts'
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
  await advanceDocuments(tx, scope, {
    trigger: 'note_accepted',
    ids: [...notes.keys()],
    detail: ({ id }) => ({ document_id: notes.get(id) }),
  })
}
