-- What the SII of test mode remembers. It decides everything else from the document itself and from its track id.

-- The outcome a test asked for before a document was sent.
create table sandbox_script (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  document_id text collate "C" primary key,
  outcome text not null,
  code text,
  message text,
  foreign key (account_id, empresa_id, document_id) references document (account_id, empresa_id, id) on delete cascade
);

-- How often a document with a magic value was turned away; no other document ever has a row here.
create table sandbox_try (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  document_id text collate "C" primary key,
  tries integer not null,
  foreign key (account_id, empresa_id, document_id) references document (account_id, empresa_id, id) on delete cascade
);
