import { openDatabase } from '../../kernel/db.ts'
import type { Listener } from './listener.ts'
import { DATABASE, SERVICE } from './settings.ts'

// Objects of an older folder belong to the superuser. Sequences of a column go with their table, and are skipped.
const MOVE = `do $$
declare it record;
begin
  if not exists (select from pg_roles where rolname = '${SERVICE}') then
    create role ${SERVICE} login nosuperuser nocreatedb nocreaterole noreplication;
  end if;
  if (select datdba from pg_database where datname = '${DATABASE}') <> '${SERVICE}'::regrole then
    alter database ${DATABASE} owner to ${SERVICE};
  end if;
  for it in select oid::regclass as name from pg_class where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p', 'v', 'm') and relowner <> '${SERVICE}'::regrole
  loop execute format('alter table %s owner to ${SERVICE}', it.name); end loop;
  for it in select oid::regclass as name from pg_class where relnamespace = 'public'::regnamespace
    and relkind = 'S' and relowner <> '${SERVICE}'::regrole
  loop execute format('alter sequence %s owner to ${SERVICE}', it.name); end loop;
  for it in select oid::regprocedure as name from pg_proc where pronamespace = 'public'::regnamespace
    and proowner <> '${SERVICE}'::regrole
    -- The constructors of a range are part of their type.
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'i')
  loop execute format('alter routine %s owner to ${SERVICE}', it.name); end loop;
  for it in select oid::regtype as name from pg_type where typnamespace = 'public'::regnamespace
    and typtype in ('e', 'r', 'd') and typowner <> '${SERVICE}'::regrole
  loop execute format('alter type %s owner to ${SERVICE}', it.name); end loop;
end $$`

/**
 * Makes the role that the service connects as: the owner of its database and of nothing else. The superuser, who could
 * read files and run programs by a statement, is needed here alone. A folder of an older version is moved over.
 */
export async function prepareServiceRole({ urlOf, password }: Pick<Listener, 'urlOf' | 'password'>, superuser: string) {
  const admin = openDatabase(urlOf(superuser), { pool_size: 1, onError: () => undefined })
  try {
    await admin.transact(async (_sql, client) => {
      await client.query(MOVE)
      // Made of hexadecimal digits by us.
      if (password !== null) await client.query(`alter role ${SERVICE} password '${password}'`)
    })
  } finally {
    await admin.end()
  }
}
