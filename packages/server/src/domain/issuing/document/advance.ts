import { advanceMany } from '../../../kernel/advance.ts'
import { type Fragment, nothing } from '../../../kernel/db.ts'
import type { TriggerOf } from '../../../kernel/machine.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { releaseGuias } from './guia-invoices.ts'
import { documentMachine } from './machine.ts'
import type { DocumentStatus } from './schema.ts'
import { type DocumentRow, showDocument } from './show.ts'
import { insertJournal, type NewJournalEntry } from './store.ts'

/** A transaction with its events and its jobs. Requests and jobs both have one. */
export type AdvanceContext = Pick<
  JobTransaction,
  'sql' | 'now' | 'emit' | 'enqueue' | 'addresses' | 'request_id' | 'reactions'
>

export type Trigger = TriggerOf<typeof documentMachine>

const ROWS = new Map<string, (typeof documentMachine.rows)[number]>(documentMachine.rows.map((row) => [row.on, row]))

/** The journal entry of a trigger. */
export function journalEntry(trigger: Trigger, document_id: string, detail: object): NewJournalEntry {
  const row = ROWS.get(trigger)
  if (!row || !('journal' in row)) throw new Error(`${trigger} leaves nothing in the journal`)
  return { document_id, type: row.journal, detail }
}

/** What ends a factura: the guías it invoiced wait for another. */
const FREES_GUIAS: readonly Trigger[] = ['sii_rejected', 'processing_failed', 'note_accepted']

export interface DocumentTransition {
  readonly trigger: Trigger
  readonly ids: readonly string[]
  /** Written beside the status, as `, estado = …`. */
  readonly set?: Fragment
  /** The former values of those columns, of all rows or of each. */
  readonly was?: Partial<DocumentRow> | ((row: DocumentRow) => Partial<DocumentRow>)
  readonly detail: (row: DocumentRow) => object
}

/**
 * Takes documents through one row of their machine: status, journal and event in the same transaction. Those that are
 * no longer in the state where the row starts are left alone. Rows and events come in the order of `ids`.
 */
export async function advanceDocuments(
  tx: AdvanceContext,
  scope: EmpresaScope,
  transition: DocumentTransition,
): Promise<DocumentRow[]> {
  if (transition.ids.length === 0) return []
  const advanced = await advanceMany<DocumentRow, typeof documentMachine>(
    tx.sql,
    documentMachine,
    scope,
    transition.ids,
    transition.trigger,
    transition.set ?? nothing,
  )
  if (advanced.length === 0) return []
  const places = new Map(transition.ids.map((id, place) => [id, place]))
  advanced.sort((a, b) => (places.get(a.row.id) ?? 0) - (places.get(b.row.id) ?? 0))
  const entries = advanced.map(({ row }) => journalEntry(transition.trigger, row.id, transition.detail(row)))
  await tx.sql`${insertJournal(scope, entries, tx.now())}`
  if (FREES_GUIAS.includes(transition.trigger)) {
    const ids = advanced.map(({ row }) => row.id)
    await releaseGuias(tx.sql, scope, ids, tx.now())
  }
  for (const { row, before } of advanced) emitChange(tx, scope, transition, row, before)
  return advanced.map(({ row }) => row)
}

function emitChange(
  tx: AdvanceContext,
  scope: EmpresaScope,
  transition: DocumentTransition,
  row: DocumentRow,
  status_before: string,
): void {
  const machine_row = ROWS.get(transition.trigger)
  if (!machine_row || !('event' in machine_row)) return
  const object = showDocument(row, tx.addresses)
  const was = typeof transition.was === 'function' ? transition.was(row) : transition.was
  const before = showDocument({ ...row, ...was, status: status_before as DocumentStatus }, tx.addresses)
  tx.emit({
    type: machine_row.event,
    object,
    empresa: { id: scope.empresa_id, rut: scope.rut },
    previous_attributes: previousAttributes(before, object) ?? {},
  })
}
