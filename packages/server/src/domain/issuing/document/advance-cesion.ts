import { advance, advanceMany } from '../../../kernel/advance.ts'
import { part, type Sql } from '../../../kernel/db.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import { ownedBy } from '../../../kernel/tenant.ts'
import type { AdvanceContext } from './advance.ts'
import { cesionMachine } from './machine.ts'
import { type CesionFacts, type DocumentRow, showDocument } from './show.ts'
import { insertJournal } from './store.ts'

/** Records that a cesión was requested. No event: there is nothing to report before the register has it. */
export async function startCesion(sql: Sql, scope: EmpresaScope, id: string, cesion: CesionFacts): Promise<void> {
  await advance(sql, cesionMachine, scope, id, 'asked')
  await sql`update document set cesion = ${JSON.stringify(cesion)}::json where ${ownedBy(scope)} and id = ${id}`
}

const EVENTS = {
  submitted: 'document.cesion_submitted',
  confirmed: 'document.cesion_confirmed',
  failed: 'document.cesion_failed',
} as const

/**
 * Takes the cesión of a document through one row of its machine: status, what the document shows of it, journal and
 * event in the same transaction. Null when it was no longer in the state where the row starts.
 */
export async function advanceCesion(
  tx: AdvanceContext,
  scope: EmpresaScope,
  before: DocumentRow,
  trigger: keyof typeof EVENTS,
  cesion: CesionFacts,
): Promise<DocumentRow | null> {
  const set = part`, cesion = ${JSON.stringify(cesion)}::json`
  const advanceRows = advanceMany<DocumentRow, typeof cesionMachine>
  const [advanced] = await advanceRows(tx.sql, cesionMachine, scope, [before.id], trigger, set)
  if (!advanced) return null
  const { row, before: status_before } = advanced
  const type = EVENTS[trigger]
  const { id, cesionario, amount, due_date, track_id, failure } = cesion
  const detail = { cesion: id, cesionario, amount, due_date, track_id, ...(failure && { failure }) }
  await tx.sql`${insertJournal(scope, [{ document_id: row.id, type, detail }], tx.now())}`
  const was = { ...row, cesion_status: status_before, cesion: before.cesion ?? null } as DocumentRow
  tx.emit({
    type,
    object: showDocument(row, tx.addresses),
    empresa: { id: scope.empresa_id, rut: scope.rut },
    previous_attributes: { cesion: showDocument(was, tx.addresses).cesion },
    detail,
  })
  return row
}
