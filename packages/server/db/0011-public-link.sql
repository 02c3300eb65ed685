-- Pages that need no credential: the slug of the address is the secret, and only its hash rests here. A document has at
-- most one living link of each kind, and minting a new one revokes the old.
create table public_link (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  document_id text collate "C" not null,
  id text collate "C" primary key,
  slug_hash bytea not null unique,
  cedible boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade,
  foreign key (account_id, empresa_id, document_id) references document (account_id, empresa_id, id) on delete cascade
);
create index public_link_of_document on public_link (document_id, id);
create unique index public_link_living on public_link (document_id, cedible) where revoked_at is null;
