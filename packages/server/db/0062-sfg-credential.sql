-- The password of the certificate that a person keeps centrally at the SII, which signs on the free portal.
create table sfg_credential (
  account_id text collate "C" not null,
  empresa_id text collate "C" primary key,
  mode text not null,
  rut text not null,
  sealed bytea not null,
  stored_at timestamptz not null,
  last_used_at timestamptz,
  last_refused_at timestamptz,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

alter table empresa add column has_sfg_credential boolean not null default false;
