import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import { advanceEstados } from './machine.ts'
import { mergedCharacterization, mergedEstado, snapshotOf } from './merge-reading.ts'
import type { RcvReading, RcvRow } from './row.ts'
import {
  insertEntries,
  type KnownEntry,
  lockEntries,
  type PeriodSide,
  updateEntries,
  type WrittenEntry,
} from './sync-store.ts'

export interface BatchResult {
  readonly created: readonly string[]
  readonly updated: number
  /** Entries that the SII shows elsewhere though they were claimed. */
  readonly contradicted: readonly RcvRow[]
}

const NOTHING: BatchResult = { created: [], updated: 0, contradicted: [] }

/** A reading with its natural key and the hash of its content. */
export interface HashedReading {
  readonly key: string
  readonly reading: RcvReading
  readonly hash: string
}

function written(id: string, { reading, hash }: HashedReading, row: RcvRow | null): WrittenEntry {
  return { ...reading, ...mergedCharacterization(reading, row), id, sii: snapshotOf(reading), content_hash: hash }
}

async function updateAll(
  sql: Sql,
  scope: EmpresaScope,
  rows: readonly RcvRow[],
  read: ReadonlyMap<string, HashedReading>,
  at: Date,
): Promise<RcvRow[]> {
  const both = rows.flatMap((row) => {
    const hashed = read.get(row.natural_key)
    return hashed ? [{ row, hashed, to: mergedEstado(hashed.reading, row) }] : []
  })
  await updateEntries(
    sql,
    scope,
    both.map(({ row, hashed }) => written(row.id, hashed, row)),
    at,
  )
  const moves = both.flatMap(({ row, to }) =>
    to === null || to === row.estado_contable ? [] : [{ id: row.id, to, row }],
  )
  const claimed = moves.filter(({ row }) => row.estado_contable === 'RECLAMADO')
  await advanceEstados(
    sql,
    scope,
    moves.filter((move) => !claimed.includes(move)),
  )
  return claimed.map(({ row }) => row)
}

/**
 * Writes new and changed entries in one transaction, and opens none where nothing changed. All readings are of one
 * side, and no two of them have the same key; `all` is what is stored of that side.
 */
export async function writeBatch(
  ctx: JobContext,
  scope: EmpresaScope,
  period_side: PeriodSide,
  readings: readonly HashedReading[],
  all: ReadonlyMap<string, KnownEntry>,
): Promise<BatchResult> {
  const read = new Map(readings.map((one) => [one.key, one]))
  const known = [...read.keys()].flatMap((key) => all.get(key) ?? [])
  const fresh = [...read].filter(([key]) => !all.has(key)).map(([, one]) => written(newId('rcv_entry'), one, null))
  const stale = known.filter(
    (entry) => entry.withdrawn_at_sii !== null || entry.content_hash !== read.get(entry.natural_key)?.hash,
  )
  if (fresh.length === 0 && stale.length === 0) return NOTHING
  return ctx.transact(async (tx) => {
    const rows = await lockEntries(
      tx.sql,
      scope,
      stale.map(({ id }) => id),
    )
    const created = await insertEntries(tx.sql, scope, period_side, fresh, tx.now())
    const contradicted = await updateAll(tx.sql, scope, rows, read, tx.now())
    return { created, updated: rows.length, contradicted }
  })
}
