-- A person's certificate in the custody of an empresa. One that serves several of an account has a row, and a sealed copy,
-- for each of them under one id: what leaves the custody of an empresa is gone, whoever else has it.
create table certificate (
  account_id text collate "C" not null,
  empresa_id text collate "C" primary key,
  mode text not null,
  id text collate "C" not null,
  fingerprint_sha256 text not null,
  holder_rut text not null,
  holder_name text not null,
  issuer text not null,
  serial text not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  -- Whether the SII lets the holder act for the empresa.
  authority text not null default 'unproven' check (authority in ('unproven', 'proven', 'refused')),
  -- The private key and the certificates. The .pfx and its password are not kept.
  sealed bytea not null,
  uploaded_at timestamptz not null,
  last_used_at timestamptz,
  -- The fewest days before its end that were told of; 0 once its end was.
  told_days integer,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index certificate_of_account on certificate (account_id, mode, id);

-- Until when the certificate of an empresa is valid; null while it has none. Every call asks, so it stands with the empresa.
alter table empresa add column certificate_until timestamptz;
