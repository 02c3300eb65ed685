-- What the live client of the SII keeps for all processes.

-- A token for each certificate, channel and environment. One process at a time asks for a new one.
create table sii_token (
  key text collate "C" primary key,
  -- Under the vault.
  sealed bytea,
  -- SHA-256 of the token: whether one that was refused is still the one kept here.
  hash bytea,
  expires_at timestamptz,
  -- Until when the process that is asking for a new one is waited for.
  renewing_until timestamptz
);

-- What was handed to the SII and has no verdict yet. It is kept before it is sent: whoever finds it without a track id
-- sends the same bytes again, and the SII says whether it had them.
create table sii_upload (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  kind text not null,
  document_ids text[] not null,
  envelope bytea not null,
  sends integer not null default 0,
  -- The one its documents know. After a file that the SII lost, another one is asked about.
  track_id text,
  resent_track_id text,
  created_at timestamptz not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index sii_upload_of_empresa on sii_upload (account_id, empresa_id, track_id);
