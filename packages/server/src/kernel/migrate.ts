import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Database, isConflict, type PoolClient } from './db.ts'
import { LOCKS } from './locks.ts'

const FOLDER = new URL('../../db/', import.meta.url)

interface Applied {
  name: string
  sha256: string
}

interface File extends Applied {
  text: string
}

async function migrationFiles(): Promise<File[]> {
  const names = (await readdir(fileURLToPath(FOLDER))).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(new URL(file, FOLDER), 'utf8')
      return { name: file, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function appliedOn(client: PoolClient): Promise<Map<string, string>> {
  await client.query(`create table if not exists migration (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<Applied>('select name, sha256 from migration')
  return new Map(rows.map((row) => [row.name, row.sha256]))
}

function missingOf(files: readonly File[], applied: ReadonlyMap<string, string>): File[] {
  const unknown = [...applied.keys()].filter((name) => !files.some((file) => file.name === name))
  if (unknown.length > 0) {
    throw new Error(`The database was migrated by a newer version (${unknown.join(', ')}). Run that version.`)
  }
  for (const { name, sha256 } of files) {
    if ((applied.get(name) ?? sha256) !== sha256)
      throw new Error(`Migration ${name} changed after it was applied; migrations only go forward.`)
  }
  return files.filter(({ name }) => !applied.has(name))
}

/** Every transaction has these before all else (`locks.ts`). */
const TAKEN_FIRST = ['account', 'empresa']

/**
 * Locks the tables that the files name before any of them is changed, in the order in which transactions take them. A process of the
 * release before goes on working meanwhile: one of its transactions that had the empresa and waited for a table of ours would undo
 * a migration that came to want the empresa, and all that it had moved by then.
 */
async function lockTables(client: PoolClient, files: readonly File[]): Promise<void> {
  const named = files.flatMap(({ text }) => text.match(/\w+/g) ?? [])
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = current_schema()::regnamespace and relname = any($1::text[])
     order by array_position($2::text[], relname::text), relname`,
    [[...TAKEN_FIRST, ...named], TAKEN_FIRST],
  )
  if (rows.length > 0) {
    await client.query(`lock table ${rows.map(({ name }) => `"${name}"`).join(', ')} in access exclusive mode`)
  }
}

async function applyMissing(client: PoolClient, files: readonly File[]): Promise<string[]> {
  await client.query(`set local statement_timeout = 0; select pg_advisory_xact_lock(${LOCKS.migrate})`)
  const missing = missingOf(files, await appliedOn(client))
  if (missing.length > 0) await lockTables(client, missing)
  for (const { name, text, sha256 } of missing) {
    await client.query(text)
    await client.query('insert into migration (name, sha256) values ($1, $2)', [name, sha256])
  }
  return missing.map(({ name }) => name)
}

/** A statement takes its tables in an order of its own; whoever meets one is undone before it has changed anything. */
const MOST_TRIES = 5

/** Applies what is missing, in order, forward only. A file that changed after it was applied stops the start. */
export async function migrate(db: Database): Promise<string[]> {
  const files = await migrationFiles()
  for (let tries = 1; ; tries++) {
    try {
      return await db.transact((_sql, client) => applyMissing(client, files))
    } catch (error) {
      if (tries === MOST_TRIES || !isConflict(error)) throw error
    }
  }
}

/** Whether every migration this version knows is there: what /readyz asks. */
export async function isMigrated(db: Database): Promise<boolean> {
  const files = await migrationFiles()
  const rows = await db.sql<{ name: string }>`select name from migration`
  return files.every((file) => rows.some((row) => row.name === file.name))
}
