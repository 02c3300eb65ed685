import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { emptyDatabase } from '../../test/support/empty-database.ts'
import { isMigrated, migrate } from './migrate.ts'

const files = (await readdir(new URL('../../db/', import.meta.url))).filter((name) => name.endsWith('.sql')).sort()

describe('migrations', () => {
  it('are applied in order, once', async () => {
    const db = (await emptyDatabase()).open()
    expect(await migrate(db)).toEqual(files)
    expect(await migrate(db)).toEqual([])
    expect(await isMigrated(db)).toBe(true)
  })

  it('are applied once by two processes that start at the same moment', async () => {
    const { open } = await emptyDatabase()
    const done = await Promise.all([migrate(open()), migrate(open()), migrate(open())])
    expect(done.flat()).toEqual(files)
  })

  it('are missing until the last of them is there', async () => {
    const db = (await emptyDatabase()).open()
    await migrate(db)
    await db.sql`delete from migration where name = ${files.at(-1)}`
    expect(await isMigrated(db)).toBe(false)
  })

  it('stop the start when a file changed after it was applied, and change nothing', async () => {
    const db = (await emptyDatabase()).open()
    await migrate(db)
    await db.sql`update migration set sha256 = 'another' where name = ${files[0]}`
    await db.sql`delete from migration where name = ${files.at(-1)}`
    await expect(migrate(db)).rejects.toThrow(`Migration ${files[0]} changed after it was applied`)
    expect(await isMigrated(db)).toBe(false)
  })

  it('stop the start of an older version on the database of a newer one', async () => {
    const db = (await emptyDatabase()).open()
    await migrate(db)
    await db.sql`insert into migration (name, sha256) values ('9999-tomorrow.sql', 'x')`
    await expect(migrate(db)).rejects.toThrow('newer version (9999-tomorrow.sql)')
  })

  it('leave nothing of one that fails in the middle', async () => {
    const db = (await emptyDatabase()).open()
    // The name is taken by something else, so that the last file fails after all others were applied.
    await db.sql`create table migration (name text primary key, sha256 text not null, applied_at timestamptz default now(),
      check (name <> '0003-empresa.sql'))`
    await expect(migrate(db)).rejects.toThrow()
    const [left] = await db.sql<{ tables: number; applied: number }>`
      select (select count(*) from pg_tables where schemaname = 'public') as tables,
        (select count(*) from migration) as applied`
    expect(left).toEqual({ tables: 1, applied: 0 })
  })
})
