import type { Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { creditNotesOf, type NoteInForce } from './credit-note-store.ts'
import { type Balance, balanceOf } from './credit-rules.ts'
import type { DocumentRow } from './show.ts'

/** What notas de crédito in force took of a document. */
export interface Credited {
  readonly left: Balance
  /** The one that annuls it, on its way or taken. */
  readonly annulment: NoteInForce | null
}

export async function creditedOf(sql: Sql, scope: EmpresaScope, document: DocumentRow): Promise<Credited> {
  const notes = await creditNotesOf(sql, scope, document.id)
  const annulment = notes.find(({ annuls_id }) => annuls_id === document.id) ?? null
  return { left: balanceOf(document, notes), annulment }
}
