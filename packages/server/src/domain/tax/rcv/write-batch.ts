import { advanceMany } from '../../../kernel/advance.ts'
import type { Sql } from '../../../kernel/db.ts'
import { newId } from '../../../kernel/id.ts'
import type { EmpresaScope } from '../../../kernel/scope.ts'
import type { JobContext } from '../../job.ts'
import { estadoContableMachine as MACHINE, TRIGGERS } from './machine.ts'
import { naturalKeyOf, type RcvReading, type RcvRow } from './row.ts'
import { characterizationOf, contentHashOf, estadoOf, snapshotOf } from './settle-reading.ts'
import { insertEntries, type KnownEntry, lockEntries, type Place, updateEntries, type Written } from './sync-store.ts'
import { ESTADOS_CONTABLES } from './tipos.ts'

/** What a batch left behind. */
export interface BatchEnd {
  readonly created: readonly string[]
  readonly updated: number
  /** Entries that the SII shows elsewhere though they were claimed. */
  readonly contradicted: readonly RcvRow[]
}

const NOTHING: BatchEnd = { created: [], updated: 0, contradicted: [] }

interface Reread {
  readonly reading: RcvReading
  readonly hash: string
}

function written(id: string, { reading, hash }: Reread, row: RcvRow | null): Written {
  return { ...reading, ...characterizationOf(reading, row), id, sii: snapshotOf(reading), content_hash: hash }
}

/** Moves entries to where they belong now, those that go the same way together. */
export async function moveTogether(
  sql: Sql,
  scope: EmpresaScope,
  moves: readonly { readonly id: string; readonly to: NonNullable<RcvRow['estado_contable']> }[],
): Promise<void> {
  for (const estado of ESTADOS_CONTABLES) {
    const ids = moves.filter(({ to }) => to === estado).map(({ id }) => id)
    if (ids.length > 0) await advanceMany<RcvRow, typeof MACHINE>(sql, MACHINE, scope, ids, TRIGGERS[estado])
  }
}

async function updateAll(
  sql: Sql,
  scope: EmpresaScope,
  rows: readonly RcvRow[],
  read: ReadonlyMap<string, Reread>,
  at: Date,
): Promise<RcvRow[]> {
  const both = rows.flatMap((row) => {
    const reread = read.get(row.natural_key)
    return reread ? [{ row, reread, to: estadoOf(reread.reading, row) }] : []
  })
  await updateEntries(
    sql,
    scope,
    both.map(({ row, reread }) => written(row.id, reread, row)),
    at,
  )
  const moves = both.flatMap(({ row, to }) =>
    to === null || to === row.estado_contable ? [] : [{ id: row.id, to, row }],
  )
  const claimed = moves.filter(({ row }) => row.estado_contable === 'RECLAMADO')
  await moveTogether(
    sql,
    scope,
    moves.filter((move) => !claimed.includes(move)),
  )
  return claimed.map(({ row }) => row)
}

/**
 * Writes what is new or other than it was, in one transaction, and nothing at all where the SII says what it said
 * before. All entries are of one side, and no two of them have the same key; `all` is what is here of that side.
 */
export async function writeBatch(
  ctx: JobContext,
  scope: EmpresaScope,
  place: Place,
  readings: readonly RcvReading[],
  all: ReadonlyMap<string, KnownEntry>,
): Promise<BatchEnd> {
  const read = new Map(readings.map((reading) => [naturalKeyOf(reading), { reading, hash: contentHashOf(reading) }]))
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
    const created = await insertEntries(tx.sql, scope, place, fresh, tx.now())
    const contradicted = await updateAll(tx.sql, scope, rows, read, tx.now())
    return { created, updated: rows.length, contradicted }
  })
}
