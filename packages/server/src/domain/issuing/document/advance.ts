import { advanceMany, advanceUnchanged, type MovingRow, unchangedRows, type Version } from '../../../kernel/advance.ts'
import { type Fragment, joined, name, nothing, part } from '../../../kernel/db.ts'
import type { TriggerOf } from '../../../kernel/machine.ts'
import type { RowWriter } from '../../../kernel/rows.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction, Landing } from '../../job.ts'
import { previousAttributes } from '../../previous-attributes.ts'
import { releaseGuias } from './guia-invoices.ts'
import { endFlights } from './in-flight.ts'
import { documentMachine } from './machine.ts'
import type { DocumentStatus } from './schema.ts'
import { type DocumentRow, showDocument } from './show.ts'
import { appendedJournal, insertJournal, type NewJournalEntry, packJournal } from './store.ts'
import { documentsOf } from './year.ts'

/** A transaction with its events and its jobs. Requests and jobs both have one. */
export type AdvanceContext = Pick<
  JobTransaction,
  'sql' | 'cache' | 'now' | 'emit' | 'enqueue' | 'addresses' | 'request_id' | 'reactions'
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

/** What the SII decided about moves no more on its way there. */
const SETTLES: readonly Trigger[] = ['sii_accepted', 'sii_observed', 'sii_rejected']

export interface DocumentTransition {
  readonly trigger: Trigger
  readonly ids: readonly string[]
  /** Written beside the status, as `, estado = …`. */
  readonly set?: Fragment
  /** The former values of those columns, of all rows or of each. */
  readonly was?: Partial<DocumentRow> | ((row: DocumentRow) => Partial<DocumentRow>)
  /** What the journal tells of a document. */
  readonly detail: (id: string) => object
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
  const entries = transition.ids.map((id) => journalEntry(transition.trigger, id, transition.detail(id)))
  const advanced = await advanceMany<DocumentRow, typeof documentMachine>(
    tx.sql,
    documentMachine,
    scope,
    transition.ids,
    transition.trigger,
    transition.set ?? nothing,
    insertJournal(scope, entries, tx.now(), part`join moved on moved.id = j.document_id`),
  )
  if (advanced.length === 0) return []
  const places = new Map(transition.ids.map((id, place) => [id, place]))
  advanced.sort((a, b) => (places.get(a.row.id) ?? 0) - (places.get(b.row.id) ?? 0))
  const ids = advanced.map(({ row }) => row.id)
  if (SETTLES.includes(transition.trigger)) await endFlights(tx.sql, scope, ids)
  if (FREES_GUIAS.includes(transition.trigger)) await releaseGuias(tx.sql, scope, ids, tx.now())
  for (const { row, before } of advanced) emitChange(tx, scope, transition, row, before)
  return advanced.map(({ row }) => row)
}

/** A document as it was read. */
export type ReadDocument = DocumentRow & Version

/** Columns that hold JSON; the others take their value as it is. */
const JSON_COLUMNS: readonly string[] = ['sii_answer', 'failure'] satisfies (keyof DocumentRow)[]

/** Columns as an update writes them beside the status. */
export function settingOf(changes: Partial<DocumentRow>): Fragment {
  const columns = Object.entries(changes).map(([column, value]) =>
    JSON_COLUMNS.includes(column)
      ? part`, ${name(column)} = ${value === null ? null : JSON.stringify(value)}::json`
      : part`, ${name(column)} = ${value}`,
  )
  return joined(columns, ' ')
}

const IN_YEARS = { machine: documentMachine, tableOf: documentsOf }

const SENT = { envelope_key: 'text', track_id: 'text', mailed_track_id: 'text', sent_at: 'timestamptz' } as const

/**
 * Documents that the SII took in, those that get their folios in the same statement, and documents that it decided about, as a
 * statement moves them that lands.
 */
export const sentDocuments = advanceUnchanged(IN_YEARS, SENT)
export const emittedDocuments = advanceUnchanged(IN_YEARS, { folio: 'bigint', caf_id: 'text', ...SENT })
export const settledDocuments = advanceUnchanged(IN_YEARS, {
  estado: 'text',
  sii_answer: 'json',
  failure: 'json',
  settled_at: 'timestamptz',
})

/** Whether documents are as they were read. */
export const unchangedDocuments = unchangedRows(IN_YEARS)

export interface LandedTransition<Column extends keyof DocumentRow> {
  readonly trigger: Trigger
  readonly rows: readonly ReadDocument[]
  readonly writer: RowWriter<MovingRow<typeof documentMachine, Column>>
  /** What is written beside the status, of all rows or of each. */
  readonly changes: Pick<DocumentRow, Column> | ((row: ReadDocument) => Pick<DocumentRow, Column>)
  readonly detail: object
}

/**
 * The same in a statement that lands while the rows are as they were read (`unchangedDocuments`): status, journal and events
 * follow from what was read. Gives the rows as they will be.
 */
export function gatherTransition<Column extends keyof DocumentRow>(
  landing: Landing,
  scope: EmpresaScope,
  { trigger, rows, writer, changes, detail }: LandedTransition<Column>,
): DocumentRow[] {
  const changesOf = typeof changes === 'function' ? changes : () => changes
  const moving = rows.map((row) => {
    const { id, account_id, status } = row
    return { id, account_id, before: status, trigger, changes: changesOf(row) }
  })
  landing.gather(writer, moving)
  const entries = rows.map(({ id }) => journalEntry(trigger, id, detail))
  landing.gather(appendedJournal, packJournal(scope, entries, landing.now()))
  return rows.map((row) => {
    const transition = documentMachine.rows.find(({ on, from }) => on === trigger && from === row.status)
    const after = Object.assign({}, row, changesOf(row), { status: transition?.to ?? row.status })
    emitShown(landing, scope, trigger, row, after)
    return after
  })
}

function emitChange(
  tx: AdvanceContext,
  scope: EmpresaScope,
  transition: DocumentTransition,
  row: DocumentRow,
  status_before: string,
): void {
  const was = typeof transition.was === 'function' ? transition.was(row) : transition.was
  const before = { ...row, ...was, status: status_before as DocumentStatus }
  emitShown(tx, scope, transition.trigger, before, row)
}

function emitShown(
  tx: Pick<AdvanceContext, 'emit' | 'addresses'>,
  scope: EmpresaScope,
  trigger: Trigger,
  was: DocumentRow,
  is: DocumentRow,
): void {
  const machine_row = ROWS.get(trigger)
  if (!machine_row || !('event' in machine_row)) return
  const object = showDocument(is, tx.addresses)
  const before = showDocument(was, tx.addresses)
  tx.emit({
    type: machine_row.event,
    object,
    empresa: { id: scope.empresa_id, rut: scope.rut },
    previous_attributes: previousAttributes(before, object) ?? {},
  })
}
