-- What the documents of an emisor repeat: its own data, its CAF, its certificate and the elements around them. A signed XML
-- rests as its difference from one of these (kernel/delta.ts). `id` follows from the bytes, so that the same text is the same
-- row whoever writes it. It is never changed, and goes with its empresa only: without it no XML that names it can be read.
create table document_xml_dictionary (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  id bigint not null,
  bytes bytea not null,
  primary key (empresa_id, id, account_id),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create trigger document_xml_dictionary_is_append_only before update on document_xml_dictionary
  for each row execute function refuse_change();

-- Null: the bytes as they were signed.
alter table document_xml add column dictionary_id bigint;
