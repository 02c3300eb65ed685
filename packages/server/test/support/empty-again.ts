// How the database of a world becomes as new, in SQL.

/**
 * Keeps, beside the tables, what a new database holds and what it looks like, and a function that brings it back where
 * nobody has more than so many connections to it. It says `as new`, `in use` by somebody else, or `changed`: rows and
 * sequences come back, a changed table does not. Rows go by `delete`, without their foreign keys: `truncate` would make
 * every table that refers to another anew.
 */
export const REMEMBER_TEMPLATE = `
create schema pristine;

create view pristine.shape as
  select concat(relname, ' ', relkind, relnatts, relchecks) as part, relispartition
  from pg_class where relnamespace = 'public'::regnamespace
  union all
  select concat(conrelid::regclass, ' ', conname), false from pg_constraint
  where connamespace = 'public'::regnamespace and conparentid = 0
    and not exists (select from pg_class where oid = conrelid and relispartition)
  union all
  select concat(tgrelid::regclass, ' ', tgname, tgenabled), false from pg_trigger
  where not tgisinternal and tgparentid = 0;

create table pristine.parts as select * from pristine.shape;

-- Differs once a statement has changed the shape of anything, or added to it. Reading the shape itself takes ten times as long.
create view pristine.versions as
  select sum(hashtextextended(concat(oid, ' ', xmin), 0)) as seen from (
    select oid, xmin from pg_class where relnamespace = 'public'::regnamespace
    union all select oid, xmin from pg_constraint where connamespace = 'public'::regnamespace
    union all select oid, xmin from pg_trigger) as catalog;

create table pristine.checked as select seen from pristine.versions;

create table pristine.filled (name text primary key);
do $$
declare filled text;
begin
  for filled in
    select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
  loop
    insert into pristine.filled values (filled);
    execute format('create table pristine.%I as table public.%I', 'rows_of_' || filled, filled);
  end loop;
end $$;

create table pristine.sequences as select sequencename::text, coalesce(last_value, 0) as last_value from pg_sequences
  where schemaname = 'public';

create function pristine.restore(connections integer) returns text language plpgsql as $$
declare used text;
begin
  if (select count(*) > connections from pg_stat_activity where datname = current_database())
  then return 'in use';
  end if;
  if (select seen from pristine.checked) is distinct from (select seen from pristine.versions) then
    if exists (select part from pristine.parts except select part from pristine.shape)
      or exists (
        select from pristine.shape
        where not (relispartition and part ~ '_[0-9]{4,8}(_[a-z_0-9]+)? ')
          and part not in (select part from pristine.parts))
    then return 'changed';
    end if;
    update pristine.checked set seen = (select seen from pristine.versions);
  end if;
  if (select sum(pg_relation_size(oid)) > 16000000 from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r')
  then return 'changed';
  end if;
  perform set_config('session_replication_role', 'replica', true), set_config('lock_timeout', '1s', true);
  for used in
    select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
  loop
    execute format('delete from public.%I', used);
  end loop;
  for used in select name from pristine.filled loop
    execute format('insert into public.%I overriding system value table pristine.%I', used, 'rows_of_' || used);
  end loop;
  perform setval(format('public.%I', sequencename), greatest(last_value, 1), last_value > 0) from pristine.sequences;
  return 'as new';
end $$;`
