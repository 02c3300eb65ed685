import type { MovementBatch, StatementOptions } from '../../../../ports/statements.ts'
import { keyedLines, linesAsJson } from '../../movement/ingest/keyed-lines.ts'
import { type Occurrences, occurrenceKey } from '../../movement/ingest/line-key.ts'
import type { MovementLine } from '../../movement/row.ts'
import { openStatement } from './open-statement.ts'

/** What one statement writes well: a fraction of a second, for which it keeps a connection to the database. */
const BATCH_ROWS = 2_000

/** Batches of one size, whatever size the parser gives them in. */
async function* batchesOf(bytes: Buffer, options: StatementOptions): AsyncGenerator<MovementLine[]> {
  let batch: MovementLine[] = []
  for await (const { lines } of (await openStatement(bytes, options)).batches()) {
    batch.push(...lines)
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Reads all movements of a cartola into what is written of them. No two batches of a file hold the same key. */
export async function readMovements(bytes: Buffer, options: StatementOptions): Promise<MovementBatch[]> {
  const seen: Occurrences = new Map()
  const encoder = new TextEncoder()
  const batches: MovementBatch[] = []
  for await (const lines of batchesOf(bytes, options)) {
    const json = encoder.encode(linesAsJson(keyedLines(lines, (line) => occurrenceKey(line, seen))))
    batches.push({ rows: lines.length, json })
  }
  return batches
}
