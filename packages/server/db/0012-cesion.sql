-- A credit handed over to a third party (Ley 19.983), one row each time it was tried. Where the last one stands is
-- `document.cesion_status`: a document has one cesión at a time, and a new one only after the last one failed.
create table cesion (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  document_id text collate "C" not null,
  -- What the caller asked for: the cesionario, the amount, the due date and the rest of what the AEC says.
  terms json not null,
  -- The signed AEC, ISO-8859-1 bytes. Once it is here it is this one that is sent, however often that is tried.
  aec bytea,
  created_at timestamptz not null,
  foreign key (account_id, empresa_id, document_id) references document (account_id, empresa_id, id) on delete cascade
);
create index cesion_of_document on cesion (document_id);

-- What the document shows of its last cesión.
alter table document add column cesion json;
