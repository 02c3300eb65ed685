-- By what a taxpayer lets the service act for it at the SII. No row: nobody was asked. What was signed and revoked over time
-- is told by the evidence; here stands the last of it.
create table mandato (
  account_id text collate "C" not null,
  empresa_id text collate "C" primary key,
  mode text not null,
  id text collate "C" not null,
  status text not null default 'pending' check (status in ('pending', 'signed', 'revoked')),
  terms_version text,
  signer_rut text,
  signer_name text,
  signer_role text,
  via text check (via in ('api', 'hosted_page')),
  signed_at timestamptz,
  revoked_at timestamptz,
  check (status = 'pending' or num_nulls(terms_version, signer_rut, signer_name, signer_role, via, signed_at) = 0),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create unique index mandato_by_id on mandato (account_id, id);
