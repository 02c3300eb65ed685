import { isDeepStrictEqual } from 'node:util'
import { advanceMany } from '../../../kernel/advance.ts'
import { type Fragment, nothing } from '../../../kernel/db.ts'
import type { TriggerOf } from '../../../kernel/machine.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobTransaction } from '../../job.ts'
import { documentMachine } from './machine.ts'
import type { Document, DocumentStatus } from './schema.ts'
import { type DocumentRow, showDocument } from './show.ts'
import { insertJournal, type NewJournalEntry } from './store.ts'

/** What moving documents takes: a transaction with its events and its jobs. Requests and jobs both have one. */
export type AdvanceContext = Pick<
  JobTransaction,
  'sql' | 'now' | 'emit' | 'enqueue' | 'addresses' | 'request_id' | 'reactions'
>

export type Trigger = TriggerOf<typeof documentMachine>

const TRANSITIONS = new Map<string, (typeof documentMachine.rows)[number]>(
  documentMachine.rows.map((row) => [row.on, row]),
)

/** What the journal says of a trigger. */
export function journalEntry(trigger: Trigger, document_id: string, detail: object): NewJournalEntry {
  const row = TRANSITIONS.get(trigger)
  if (!row || !('journal' in row)) throw new Error(`${trigger} leaves nothing in the journal`)
  return { document_id, type: row.journal, detail }
}

/** What the fields that changed used to be. */
function previousAttributes(before: Document, after: Document): Partial<Document> {
  const changed = (Object.keys(before) as (keyof Document)[]).filter((k) => !isDeepStrictEqual(before[k], after[k]))
  return Object.fromEntries(changed.map((key) => [key, before[key]]))
}

export interface Move {
  readonly trigger: Trigger
  readonly ids: readonly string[]
  /** Written beside the status, as `, estado = …`. */
  readonly set?: Fragment
  /** What those columns were before. */
  readonly was?: Partial<DocumentRow>
  readonly detail: (row: DocumentRow) => object
}

/**
 * Takes documents through one row of their machine: status, journal and event in the same transaction. Those that are
 * no longer where the row starts are left alone. What moved comes back in the order of `ids`, and so do its events.
 */
export async function advanceDocuments(tx: AdvanceContext, scope: EmpresaScope, move: Move): Promise<DocumentRow[]> {
  if (move.ids.length === 0) return []
  const moved = await advanceMany<DocumentRow, typeof documentMachine>(
    tx.sql,
    documentMachine,
    scope,
    move.ids,
    move.trigger,
    move.set ?? nothing,
  )
  if (moved.length === 0) return []
  const places = new Map(move.ids.map((id, place) => [id, place]))
  moved.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
  const entries = moved.map((row) => journalEntry(move.trigger, row.id, move.detail(row)))
  await tx.sql`${insertJournal(scope, entries, tx.now())}`
  for (const { status_before, ...row } of moved) announce(tx, scope, move, row as unknown as DocumentRow, status_before)
  return moved
}

function announce(tx: AdvanceContext, scope: EmpresaScope, move: Move, row: DocumentRow, status_before: string): void {
  const transition = TRANSITIONS.get(move.trigger)
  if (!transition || !('event' in transition)) return
  const object = showDocument(row, tx.addresses)
  const before = showDocument({ ...row, ...move.was, status: status_before as DocumentStatus }, tx.addresses)
  tx.emit({
    type: transition.event,
    object,
    empresa: { id: scope.empresa_id, rut: scope.rut },
    previous_attributes: previousAttributes(before, object),
  })
}
