import type { Sql } from '../../../../kernel/db.ts'
import { newId } from '../../../../kernel/id.ts'
import { suspectBehind, unhideBehind } from '../duplicate-store.ts'
import { type NewMovement, recordRepeats, removeByKeys, upsertMovements } from '../ingest-store.ts'
import type { MovementLine, MovementScope, MovementSource } from '../row.ts'
import { lockForImport } from '../undo-store.ts'
import { tailIn } from './account.ts'
import { externalKey, lineKey, type Occurrences } from './line-key.ts'

export { countImported, knownIds } from '../store.ts'

export interface Recorded {
  readonly imported: number
  readonly duplicates: number
  readonly changed: number
  /** Of the new and the changed ones. */
  readonly movement_ids: string[]
}

/** Each key once, with its last line: one statement cannot write a row twice. In order, so that no two imports deadlock. */
function withKeys(source: MovementSource, lines: readonly MovementLine[], seen: Occurrences): NewMovement[] {
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
 * Writes movements, and an expense for each that takes money out, in one statement. A known movement is left as it is;
 * a line whose bank id is known and whose content differs changes its row. Batches of one file share `seen`, or two
 * equal lines in different batches would count as one.
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
  if (source.type === 'statement') await lockForImport(sql, scope)
  const wanted = withKeys(source, lines, seen)
  const written = await upsertMovements(sql, scope, source, wanted, at)
  const imported = written.filter(({ fresh }) => fresh).length
  const changed = written.filter(({ fresh }) => !fresh).map(({ id }) => id)
  // A duplicate of a movement that its bank changed may be none now.
  await suspectBehind(sql, scope, changed, at)
  if (source.type === 'statement' && imported < wanted.length) await recordRepeats(sql, scope, source, wanted)
  return {
    imported,
    changed: changed.length,
    duplicates: lines.length - written.length,
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
