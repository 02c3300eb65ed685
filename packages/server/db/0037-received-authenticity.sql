-- Whether a document is proven to be its emisor's, and what is missing where it is not (`catalog/authenticity.ts`). What
-- came before was held against its timbre alone. `replaced_at`: when a file with better proof took the place of another.
alter table received_document
  add column authenticity json not null default '{"status":"unproven","reasons":["not_checked"]}',
  add column replaced_at timestamptz;
alter table received_document alter column authenticity drop default;

-- What stood under a document's number before a better proven one took its place: as it was shown and as it came, so
-- that whatever was downloaded then can still be explained.
create table received_document_replaced (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  received_document_id text collate "C" not null,
  number bigint generated always as identity,
  reception_id text collate "C" not null,
  shown json not null,
  xml bytea not null,
  replaced_at timestamptz not null,
  primary key (received_document_id, number),
  foreign key (account_id, empresa_id, received_document_id)
    references received_document (account_id, empresa_id, id) on delete cascade
);
