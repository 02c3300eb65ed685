import type { Sql } from '../../../../kernel/db.ts'
import { suspectBehind, unhideBehind } from '../duplicate-store.ts'
import { type NewLines, recordRepeats, removeByKeys, upsertMovements } from '../ingest-store.ts'
import type { MovementLine, MovementScope, MovementSource } from '../row.ts'
import { lockForImport } from '../undo-store.ts'
import { keyedLines, linesAsJson } from './keyed-lines.ts'
import { externalKey, lineKey, type Occurrences } from './line-key.ts'

export { countImported, knownIds } from '../store.ts'

export interface Recorded {
  readonly imported: number
  readonly duplicates: number
  readonly changed: number
  /** Of the new and the changed ones. */
  readonly movement_ids: string[]
}

/** Lines as one statement writes them: those of a cartola come as such from where its file is read. */
function asBatch(source: MovementSource, lines: readonly MovementLine[], seen: Occurrences): NewLines {
  const json = linesAsJson(keyedLines(lines, (line) => lineKey(source, line, seen)))
  return { rows: lines.length, json, may_change: lines.some(({ external_id }) => external_id !== null) }
}

/**
 * Writes movements, and an expense for each that takes money out, in one statement. A known movement is left as it is;
 * a line whose bank id is known and whose content differs changes its row. Batches of one file share `seen`, or two
 * equal lines in different batches would count as one.
 */
export function recordMovements(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  lines: readonly MovementLine[],
  at: Date,
  seen: Occurrences = new Map(),
): Promise<Recorded> {
  return recordBatch(sql, scope, source, asBatch(source, lines, seen), at)
}

/** The same for lines that have their keys. One without an id of its bank is identified by its content, so it never changes. */
export async function recordBatch(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  batch: NewLines,
  at: Date,
): Promise<Recorded> {
  if (batch.rows === 0) return { imported: 0, duplicates: 0, changed: 0, movement_ids: [] }
  if (source.type === 'statement') await lockForImport(sql, scope)
  const written = await upsertMovements(sql, scope, source, batch, at)
  const imported = written.filter(({ fresh }) => fresh).length
  const changed = written.filter(({ fresh }) => !fresh).map(({ id }) => id)
  // A duplicate of a movement that its bank changed may be none now.
  await suspectBehind(sql, scope, changed, at)
  if (source.type === 'statement' && imported < batch.rows) await recordRepeats(sql, scope, source, batch)
  return {
    imported,
    changed: changed.length,
    duplicates: batch.rows - written.length,
    movement_ids: written.map(({ id }) => id),
  }
}

/** Hides movements that their bank took back, and their expenses; nothing is deleted. Gives how many were there. */
export async function removeMovements(
  sql: Sql,
  scope: MovementScope,
  source: MovementSource,
  external_ids: readonly string[],
  at: Date,
): Promise<number> {
  const keys = external_ids.map((id) => externalKey(source, id))
  if (keys.length === 0) return 0
  const removed = await removeByKeys(sql, scope, keys, at)
  await unhideBehind(sql, scope, removed, at)
  return removed.length
}
