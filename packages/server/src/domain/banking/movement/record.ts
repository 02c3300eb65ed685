import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import { tailIn } from './account-mark.ts'
import { showBehind, suspectBehind } from './duplicate-store.ts'
import { externalKey, lineKey, type Occurrences } from './line-key.ts'
import type { MovementLine, MovementScope, MovementSource } from './row.ts'
import { noteToldAgain, removeRows, type Writing, writeRows } from './store.ts'
import { letImport } from './undo-store.ts'

export interface Recorded {
  readonly imported: number
  readonly duplicates: number
  readonly changed: number
  /** Those that are new or changed. */
  readonly movement_ids: string[]
}

/** Each key once, the last line of it: one statement cannot write a row twice. In order, so that nobody waits in a circle. */
function writings(source: MovementSource, lines: readonly MovementLine[], seen: Occurrences): Writing[] {
  const byKey = new Map(lines.map((line) => [lineKey(source, line, seen), line]))
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([line_key, line]) => ({
      ...line,
      line_key,
      id: newId('movement'),
      account_tail: tailIn(line.bank_account),
      bank: line.bank ?? null,
    }))
}

/**
 * Writes movements, and an expense for each that takes money out, in one statement. What is known already is left as
 * it is; a line whose bank id is known and that says something else changes its row. Lines that were cut into several
 * calls share `seen`, or two equal lines in different calls would count as one.
 */
export async function recordMovements(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  lines: readonly MovementLine[],
  at: Date,
  seen: Occurrences = new Map(),
): Promise<Recorded> {
  if (lines.length === 0) return { imported: 0, duplicates: 0, changed: 0, movement_ids: [] }
  if (source.type === 'statement') await letImport(sql, scope)
  const wanted = writings(source, lines, seen)
  const written = await writeRows(sql, scope, source, wanted, at)
  const imported = written.filter(({ fresh }) => fresh).length
  const changed = written.filter(({ fresh }) => !fresh).map(({ id }) => id)
  // What was hidden behind a movement that its bank changed may be another one now.
  await suspectBehind(sql, scope, changed, at)
  if (source.type === 'statement' && imported < wanted.length) await noteToldAgain(sql, scope, source, wanted)
  return {
    imported,
    changed: changed.length,
    duplicates: lines.length - written.length,
    movement_ids: written.map(({ id }) => id),
  }
}

/** The bank took movements back: they and their expenses are hidden, not erased. Gives how many were there. */
export async function removeMovements(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  external_ids: readonly string[],
  at: Date,
): Promise<number> {
  const keys = external_ids.map((id) => externalKey(source, id))
  if (keys.length === 0) return 0
  const removed = await removeRows(sql, scope, keys, at)
  await showBehind(sql, scope, removed, at)
  return removed.length
}
