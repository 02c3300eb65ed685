import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { Held } from './emission-store.ts'
import { type Moving, moveDocuments } from './move.ts'
import type { DocumentRow } from './show.ts'

/** A nota that the SII observed is as valid as one it took without a word. */
const VALID: readonly string[] = ['accepted', 'reparo']

/**
 * A valid nota annuls the accepted document it names, whichever of the two the SII answered last. `held` is both
 * sides as they stood before, locked by this transaction; `settled` is what has just changed.
 */
export async function annulOriginals(
  tx: Moving,
  scope: EmpresaScope,
  held: readonly Held[],
  settled: readonly DocumentRow[],
): Promise<void> {
  const statuses = new Map([...held, ...settled].map(({ id, status }) => [id, status]))
  const notes = new Map<string, string>()
  for (const { id, annuls_id } of held) {
    if (annuls_id === null || !VALID.includes(statuses.get(id) ?? '')) continue
    if (statuses.get(annuls_id) === 'accepted' && !notes.has(annuls_id)) notes.set(annuls_id, id)
  }
  await moveDocuments(tx, scope, {
    trigger: 'note_accepted',
    ids: [...notes.keys()],
    detail: ({ id }) => ({ document_id: notes.get(id) }),
  })
}
