-- Documents are cut by the year of their id, so that a year that is past its keeping is dropped at once, and vacuum passes over
-- the indexes of one year (decision 0035). What was one table becomes the table of its newest year; older years are copied.
-- What no index of one year can hold across years is kept in tables of its own: an external id once, one annulment. Folios are told
-- apart by their ranges, which do not overlap and only go up.

alter table cesion drop constraint cesion_document_id_account_id_empresa_id_fkey;
alter table document_envelope drop constraint document_envelope_document_id_account_id_empresa_id_fkey;
alter table public_link drop constraint public_link_document_id_account_id_empresa_id_fkey;
alter table sandbox_script drop constraint sandbox_script_document_id_account_id_empresa_id_fkey;
alter table sandbox_try drop constraint sandbox_try_document_id_account_id_empresa_id_fkey;
drop trigger document_flight_ends on document;
drop trigger document_is_uncommon on document;
drop trigger document_nota_counts on document;

create table document_external (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  external_id text collate "C" not null,
  document_id text collate "C" not null,
  constraint document_external_id_once primary key (empresa_id, external_id)
);
create table document_annulment (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  annuls_id text collate "C" not null,
  nota_id text collate "C" not null,
  constraint document_annulled_only_once primary key (annuls_id)
);
insert into document_external select account_id, empresa_id, mode, external_id, id from document where external_id is not null order by id;
insert into document_annulment select account_id, empresa_id, mode, annuls_id, id from document
  where annuls_id is not null and (uncommon_status is null or uncommon_status = 'reparo');
-- They are written in the order of their documents, so that a year of them is a stretch of pages.
create index document_external_of_year on document_external using brin (document_id);
drop index document_external_id;
drop index document_annulled_once;
alter index document_external_id_once rename to document_external_id;
alter index document_annulled_only_once rename to document_annulled_once;

do $$
declare
  newest int;
  oldest int;
  of_year text;
  one record;
  -- Ten digits of base 32: the milliseconds since 1970 at which a year begins, as ids begin.
  floor_of text := $f$
    create function pg_temp.floor_of(year int) returns text language sql as $b$
      select 'doc_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
        ((extract(epoch from make_timestamptz(year, 1, 1, 0, 0, 0, 'UTC')) * 1000)::bigint >> (5 * (9 - n)) & 31)::int + 1, 1), ''
        order by n) || repeat('0', 16) from generate_series(0, 9) n
    $b$ $f$;
begin
  execute floor_of;
  newest := extract(year from now() at time zone 'UTC');
  while (select max(id) from document) < pg_temp.floor_of(newest) loop newest := newest - 1; end loop;
  while (select max(id) from document) >= pg_temp.floor_of(newest + 1) loop newest := newest + 1; end loop;
  oldest := newest;
  while (select min(id) from document) < pg_temp.floor_of(oldest) loop oldest := oldest - 1; end loop;

  of_year := 'document_' || newest;
  execute format('alter table document rename to %I', of_year);
  for one in select indexrelid::regclass::text as name from pg_index where indrelid = of_year::regclass loop
    execute format('alter index %I rename to %I', one.name, of_year || substr(one.name, length('document') + 1));
  end loop;
  execute format('create table document (like %I including defaults including constraints including storage, '
    || 'constraint document_pkey primary key (id, account_id, empresa_id), '
    || 'constraint document_account_id_empresa_id_fkey foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade'
    || ') partition by range (id)', of_year);
  create index document_newest on document (empresa_id, created_at);
  create index document_by_tipo on document (empresa_id, tipo_dte, created_at);
  create index document_by_receptor on document (empresa_id, receptor_rut, created_at);
  create index document_by_issue_date on document (empresa_id, issue_date);
  create index document_by_uncommon_status on document (empresa_id, uncommon_status, created_at) where uncommon_status is not null;
  create index document_by_mailed_track on document (empresa_id, mailed_track_id) where mailed_track_id is not null;
  create index document_by_former_track on document using gin (former_track_ids) where former_track_ids is not null;
  create index document_lost_by_sii on document (empresa_id) where failure is not null;
  create index document_corrections on document (corrects_id) where corrects_id is not null;
  create index document_owed on document (empresa_id, receptor_rut) where owed_amount > 0 and paid_at is null;

  -- Up to the present year, also where nothing was issued in it: a process of the release before makes none. Tables are filled
  -- before they have an index.
  for year in oldest .. greatest(newest, extract(year from now() at time zone 'UTC')::int) loop
    if year <> newest then
      execute format('create table document_%s (like %I including defaults including constraints including storage) '
        || 'with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 80)', year, of_year);
      execute format('with moved as (delete from %I where id < %L returning *) insert into document_%s select * from moved order by id',
        of_year, pg_temp.floor_of(least(year + 1, newest)), year);
      execute format('create unique index document_%s_folio on document_%s (empresa_id, tipo_dte, folio) where folio is not null', year, year);
    end if;
    execute format('alter table document attach partition document_%s for values from (%L) to (%L)',
      year, pg_temp.floor_of(year), pg_temp.floor_of(year + 1));
  end loop;
end $$;

alter table cesion add foreign key (document_id, account_id, empresa_id)
  references document (id, account_id, empresa_id) on delete cascade;
alter table document_envelope add foreign key (document_id, account_id, empresa_id)
  references document (id, account_id, empresa_id) on delete cascade;
alter table public_link add foreign key (document_id, account_id, empresa_id)
  references document (id, account_id, empresa_id) on delete cascade;
alter table sandbox_script add foreign key (document_id, account_id, empresa_id)
  references document (id, account_id, empresa_id) on delete cascade;
alter table sandbox_try add foreign key (document_id, account_id, empresa_id)
  references document (id, account_id, empresa_id) on delete cascade;

-- What only one document may have, whatever its year. By a trigger, so that a process of the release before keeps it too.
create function claim_names() returns trigger language plpgsql as $$
begin
  if new.external_id is not null then
    insert into document_external values (new.account_id, new.empresa_id, new.mode, new.external_id, new.id);
  end if;
  if new.annuls_id is not null and new.status in ('queued', 'sent', 'accepted', 'reparo') then
    insert into document_annulment values (new.account_id, new.empresa_id, new.mode, new.annuls_id, new.id);
  end if;
  return null;
end $$;
create trigger document_claims_names after insert on document for each row
  when (new.external_id is not null or new.annuls_id is not null) execute function claim_names();

-- As before, and a nota that is refused lets another annul what it would have annulled.
create or replace function mark_uncommon() returns trigger language plpgsql as $$
declare
  uncommon text := case when new.status in ('queued', 'sent', 'accepted') then null else new.status end;
begin
  update document d set uncommon_status = uncommon
  where d.id = new.id and d.account_id = new.account_id and d.empresa_id = new.empresa_id
    and d.uncommon_status is distinct from uncommon;
  if new.annuls_id is null then return null; end if;
  if uncommon is null or uncommon = 'reparo' then
    insert into document_annulment select new.account_id, new.empresa_id, new.mode, new.annuls_id, new.id
    where not exists (select from document_annulment where annuls_id = new.annuls_id and nota_id = new.id);
  else
    delete from document_annulment where annuls_id = new.annuls_id and nota_id = new.id;
  end if;
  return null;
end $$;
create trigger document_is_uncommon after insert or update of status on document for each row
  when (new.status <> all ('{queued,sent,accepted}') or new.uncommon_status is not null) execute function mark_uncommon();
create trigger document_nota_counts after update of status on document for each row
  when (new.corrects_id is not null) execute function count_nota();

-- They go with their documents. A foreign key would lock each document anew while it is written.
create function forget_names() returns trigger language plpgsql as $$
begin
  delete from document_in_flight f using gone where f.empresa_id = gone.empresa_id and f.document_id = gone.id;
  delete from document_external e using gone where e.empresa_id = gone.empresa_id and e.external_id = gone.external_id;
  delete from document_annulment a using gone where a.annuls_id = gone.annuls_id and a.nota_id = gone.id;
  return null;
end $$;
create trigger document_names_end after delete on document referencing old table as gone
  for each statement execute function forget_names();
drop function forget_flights();

-- As before, by the table of annulments; the first for a process of the release before.
create or replace function has_annulling_nota(of_account text, ids text[]) returns boolean language plpgsql volatile as $$
begin
  return exists (select from document_annulment where account_id = of_account and annuls_id = any(ids));
end $$;
create or replace function have_annulling_nota(of_accounts text[], ids text[]) returns boolean language plpgsql volatile as $$
begin
  return exists (select from unnest(of_accounts, ids) as w (account_id, id)
    join document_annulment a on a.annuls_id = w.id and a.account_id = w.account_id);
end $$;
