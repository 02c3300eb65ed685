import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Database, PoolClient } from './db.ts'
import { LOCKS } from './locks.ts'

const FOLDER = new URL('../../db/', import.meta.url)

interface Applied {
  name: string
  sha256: string
}

async function migrationFiles(): Promise<{ name: string; text: string; sha256: string }[]> {
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

/** Applies what is missing, in order, forward only. A file that changed after it was applied stops the start. */
export async function migrate(db: Database): Promise<string[]> {
  const files = await migrationFiles()
  return db.transact(async (_sql, client) => {
    await client.query(`set local statement_timeout = 0; select pg_advisory_xact_lock(${LOCKS.migrate})`)
    const applied = await appliedOn(client)
    const unknown = [...applied.keys()].filter((name) => !files.some((file) => file.name === name))
    if (unknown.length > 0) {
      throw new Error(`The database was migrated by a newer version (${unknown.join(', ')}). Run that version.`)
    }
    const done: string[] = []
    for (const { name, text, sha256 } of files) {
      const before = applied.get(name)
      if (before === sha256) continue
      if (before !== undefined)
        throw new Error(`Migration ${name} changed after it was applied; migrations only go forward.`)
      await client.query(text)
      await client.query('insert into migration (name, sha256) values ($1, $2)', [name, sha256])
      done.push(name)
    }
    return done
  })
}

/** Whether every migration this version knows is there: what /readyz asks. */
export async function isMigrated(db: Database): Promise<boolean> {
  const files = await migrationFiles()
  const rows = await db.sql<{ name: string }>`select name from migration`
  return files.every((file) => rows.some((row) => row.name === file.name))
}
