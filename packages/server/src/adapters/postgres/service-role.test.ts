import { describe, expect, it } from 'vitest'
import { folderWithDatabase, start } from '../../../test/support/postgres-folder.ts'
import { openDatabase } from '../../kernel/db.ts'
import { migrate } from '../../kernel/migrate.ts'
import { maintainPartitions } from '../../kernel/partition.ts'

const open = (url: string) => openDatabase(url, { pool_size: 1, onError: () => undefined })

describe('the role of the service', () => {
  it('owns its database and is no superuser: no file is read and no program run by a statement', async () => {
    const db = open((await start(await folderWithDatabase())).url)
    const [role] = await db.sql`
      select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user`
    expect(Object.values(role as object)).toEqual([false, false, false, false, false])
    await db.sql`create table mine (line text)`
    for (const statement of [
      "copy mine from '/etc/passwd'",
      "copy (select 1) to program 'true'",
      "select pg_read_file('/etc/passwd')",
      'set session authorization timbre',
      'set role timbre',
      'create role intruder',
    ]) {
      await expect(
        db.transact((_sql, client) => client.query(statement)),
        statement,
      ).rejects.toThrow(/permission denied|must be superuser/)
    }
    await db.end()
  })

  it('takes over a folder that an older version filled as the superuser, and everything in it', async () => {
    const dataDir = await folderWithDatabase()
    const first = await start(dataDir)
    const older = open(first.superuser_url)
    await older.transact((_sql, client) => client.query('alter database postgres owner to timbre'))
    await migrate(older)
    await maintainPartitions(older)
    await older.sql`
      insert into account (id, email, name, password_hash, created_at) values ('acct_x', 'a@b.cl', 'A', 'none', now())`
    await older.end()
    await first.stop()

    const db = open((await start(dataDir)).url)
    const foreign = await db.sql`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relowner <> current_user::regrole
      union all
      select typname from pg_type where typnamespace = 'public'::regnamespace and typowner <> current_user::regrole`
    expect(foreign).toEqual([])
    expect(await db.sql`select email from account`).toEqual([{ email: 'a@b.cl' }])
    // As the next version will: a table of every kind is changed, a partition made and dropped, a function replaced.
    await maintainPartitions(db, new Date('2030-01-01'))
    await db.transact(async (_sql, client) => {
      await client.query(`alter table account add column later text; alter table event add column later text;
        create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$;
        alter type text_span rename to text_range`)
    })
    await db.end()
  })
})
