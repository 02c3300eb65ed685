-- A document is written when it is numbered, when it is sent and when it is settled. Each time it got an entry in every index it
-- is in, for each time a column changed that some index names: its status, its track id or its envelope. Now no index names
-- them, so that only numbering, which writes the index of folios, touches any (decision 0042).

-- Where a document may still move: queued, sent, or failed and perhaps tried again. Lists of what is queued or sent start from
-- here and compare what the document says, so that a row too many does no harm.
create table document_in_flight (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  document_id text collate "C" not null,
  primary key (empresa_id, document_id)
);
insert into document_in_flight (account_id, empresa_id, mode, document_id)
select account_id, empresa_id, mode, id from document where status in ('queued', 'sent', 'failed');

-- They go with their documents. A foreign key would lock each document anew while it is written.
create function forget_flights() returns trigger language plpgsql as $$
begin
  delete from document_in_flight f using gone where f.empresa_id = gone.empresa_id and f.document_id = gone.id;
  return null;
end $$;
create trigger document_flight_ends after delete on document referencing old table as gone
  for each statement execute function forget_flights();

drop index document_by_status;
drop index document_by_envelope;
drop index document_by_track;
drop index document_lost_by_sii;
drop index document_annulled_once;

alter table document
  -- The status where it is none that every document passes through, for lists and for the rule that a document is annulled once.
  add column uncommon_status text collate "C",
  -- The track id where the SII mails what became of an envelope, for the one who receives such mail.
  add column mailed_track_id text collate "C";
update document set uncommon_status = status where status not in ('queued', 'sent', 'accepted');
update document set mailed_track_id = track_id where mode = 'live' and track_id is not null;

-- Kept here and not by a generated column, which every insert and every update would compute.
create function mark_uncommon() returns trigger language plpgsql as $$
declare
  uncommon text := case when new.status in ('queued', 'sent', 'accepted') then null else new.status end;
begin
  update document d set uncommon_status = uncommon
  where d.id = new.id and d.account_id = new.account_id and d.empresa_id = new.empresa_id
    and d.uncommon_status is distinct from uncommon;
  return null;
end $$;
create trigger document_is_uncommon after insert or update of status on document for each row
  when (new.status <> all ('{queued,sent,accepted}') or new.uncommon_status is not null) execute function mark_uncommon();

create index document_by_uncommon_status on document (empresa_id, uncommon_status, created_at) where uncommon_status is not null;
create index document_by_mailed_track on document (empresa_id, mailed_track_id) where mailed_track_id is not null;
-- What waits for a person, among what failed. There is little of either.
create index document_lost_by_sii on document (empresa_id) where failure is not null;
create unique index document_annulled_once on document (annuls_id)
  where annuls_id is not null and (uncommon_status is null or uncommon_status = 'reparo');

-- As before, by the index as it is now; the first for a process of the release before.
create or replace function has_annulling_nota(of_account text, ids text[]) returns boolean language plpgsql volatile as $$
begin
  return exists (select from document where account_id = of_account and annuls_id = any(ids) and annuls_id is not null
    and (uncommon_status is null or uncommon_status = 'reparo'));
end $$;
create or replace function have_annulling_nota(of_accounts text[], ids text[]) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from unnest(of_accounts, ids) as w (account_id, id), lateral (
      select from document d where d.account_id = w.account_id and d.annuls_id = w.id and d.annuls_id is not null
        and (d.uncommon_status is null or d.uncommon_status = 'reparo') limit 1) n);
end $$;

-- The condition of a trigger is read from its text by every statement that may fire it: what only notas need is asked inside.
create or replace function count_nota() returns trigger language plpgsql as $$
declare
  delta bigint := new.total * ((new.status in ('accepted', 'reparo'))::int - (old.status in ('accepted', 'reparo'))::int);
  about document;
begin
  if delta = 0 or new.tipo_dte not in (56, 61) then return null; end if;
  if new.tipo_dte = 61 then perform add_credited(new.corrects_id, delta); return null; end if;
  select * into about from document where id = new.corrects_id and tipo_dte = 61;
  if about.corrects_id is not null and (new.annuls_id is null or about.status = 'reparo') then
    perform add_credited(about.corrects_id, -delta);
  end if;
  return null;
end $$;
drop trigger document_nota_counts on document;
create trigger document_nota_counts after update of status on document for each row
  when (new.corrects_id is not null) execute function count_nota();

-- An update that touches no index stays on its page, and needs room there.
alter table document set (fillfactor = 80);
