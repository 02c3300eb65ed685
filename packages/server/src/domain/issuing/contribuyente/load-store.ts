import { LOCKS } from '../../../kernel/locks.ts'
import type { Connection } from '../../../kernel/pg-copy.ts'
import { INVALIDATED } from '../../../kernel/unit-of-work.ts'
import { type Dataset, type Layout, storedColumns } from './layout.ts'
import { NOMINA } from './sql.ts'

/** Recorded of a load beside the rows themselves. */
export interface LoadedDataset {
  readonly layout: Layout
  /** Local time in Chile, without a zone. */
  published: string
  rows: number
  refused: number
}

const LOCK_ATTEMPTS = 5

/** A lock of the session, so a load that dies frees it. */
export async function lockLoad(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ mine: boolean }>(
    `select pg_try_advisory_lock(${LOCKS.load_nomina}) as mine`,
  )
  return rows[0]?.mine === true
}

const staging = (table: string) => `${table}_next`

/** Drops what an earlier load left half done. */
export async function dropStaging(connection: Connection, layouts: readonly Layout[]): Promise<void> {
  await connection.query(`drop table if exists ${layouts.map(({ table }) => staging(table)).join(', ')}`)
}

/** A staging table of the shape of the one that serves. Its index is built when it is full, which is faster. */
export async function createStaging(connection: Connection, { table }: Layout): Promise<void> {
  await connection.query(`create table ${staging(table)} (like ${table})`)
}

export function copyStatement(layout: Layout): string {
  return `copy ${staging(layout.table)} (${storedColumns(layout).join(', ')}) from stdin with (format binary)`
}

export async function indexStaging(connection: Connection, { table }: Layout): Promise<void> {
  await connection.query(`create index ${staging(table)}_rut on ${staging(table)} (rut)`)
  await connection.query(`analyze ${staging(table)}`)
}

function swapStatements(layouts: readonly Layout[]): string {
  const tables = layouts.map(({ table }) => table)
  // All locks first and in the order readers take them: a reader either has finished with the old tables or waits.
  const statements = [
    'begin',
    "set local lock_timeout = '10s'",
    'set local synchronous_commit = on',
    `lock table ${tables.join(', ')} in access exclusive mode`,
  ]
  for (const table of tables) {
    statements.push(`drop table ${table}`)
    statements.push(`alter table ${staging(table)} rename to ${table}`)
    statements.push(`alter index ${staging(table)}_rut rename to ${table}_rut`)
  }
  return statements.join('; ')
}

/** Swaps the filled tables for those that serve, all at once: no reader sees one new and one old. */
export async function swapStaging(connection: Connection, loaded: readonly LoadedDataset[], at: Date): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await connection.query(swapStatements(loaded.map(({ layout }) => layout)))
      for (const each of loaded) await recordLoad(connection, each, at)
      await connection.query('select pg_notify($1, $2)', [INVALIDATED, NOMINA])
      await connection.query('commit')
      return
    } catch (error) {
      await connection.query('rollback')
      const { code } = error as { code?: string }
      const busy = code === '55P03' || code === '40P01' // waited too long for a reader, or for each other
      if (!busy || attempt === LOCK_ATTEMPTS) throw error
    }
  }
}

async function recordLoad(connection: Connection, loaded: LoadedDataset, at: Date): Promise<void> {
  const dataset: Dataset = loaded.layout.dataset
  await connection.query(
    `insert into nomina_load (dataset, published_at, loaded_at, row_count, refused_count)
     values ($1, $2::timestamp at time zone 'America/Santiago', $3, $4, $5)
     on conflict (dataset) do update set published_at = excluded.published_at, loaded_at = excluded.loaded_at,
       row_count = excluded.row_count, refused_count = excluded.refused_count`,
    [dataset, loaded.published, at, loaded.rows, loaded.refused],
  )
}
