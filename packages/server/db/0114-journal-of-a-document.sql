-- The journal of a document in one row: four rows of it each repeated the account, the empresa and the document, in the table and in
-- its index. `entries` is only ever appended to. Each is one byte with the base of its text (0: none), six with its instant in
-- milliseconds, three with its length, and the text: {"type": …, "detail": …}, as it is or as its difference from the base.
create temp table partition_before as
  select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'document_journal'::regclass;
create temp table journal_before as
  select account_id, empresa_id, mode, document_id, string_agg(
    '\x00'::bytea || substr(int8send((extract(epoch from at) * 1000)::bigint), 3)
      || substr(int4send(length(text)), 2) || text, ''::bytea order by seq) as entries
  from document_journal j
  cross join lateral (
    select convert_to('{"type":' || to_json(j.type)::text || ',"detail":' || j.detail::text || '}', 'UTF8') as text) t
  group by 1, 2, 3, 4;
drop table document_journal;
drop sequence document_journal_seq;

create table document_journal (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  document_id text collate "C" not null primary key,
  entries bytea not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
) partition by range (document_id);
create trigger document_journal_is_append_only before update on document_journal for each row
  when (substr(new.entries, 1, length(old.entries)) <> old.entries or new.document_id <> old.document_id
    or new.account_id <> old.account_id or new.empresa_id <> old.empresa_id)
  execute function refuse_change();

do $$
declare
  partition record;
begin
  for partition in select name, bound from partition_before loop
    execute format('create table %I partition of document_journal %s', partition.name, partition.bound);
  end loop;
end $$;
insert into document_journal (account_id, empresa_id, mode, document_id, entries)
select account_id, empresa_id, mode, document_id, entries from journal_before;
drop table journal_before;
drop table partition_before;

-- No longer of events alone.
alter table event_base rename to text_base;
alter trigger event_base_is_append_only on text_base rename to text_base_is_append_only;
insert into text_base (id, object, bytes) values (2, 'document_journal', convert_to(
  $base${"type":"document.folio_allocated","detail":{"folio":,"caf":"caf_"}}{"type":"document.signed","detail":{}}{"type":"document.submitted","detail":{"track_id":""}}{"type":"document.accepted","detail":{"estado":"DOK","glosa":"Documento Recibido por el SII. Datos Coinciden con los Registrados"}}{"type":"document.failed","detail":{"code":"","message":""}}{"type":"document.retried","detail":{}}{"type":"document.reparo","detail":{"estado":"","glosa":""}}$base$, 'UTF8'));
