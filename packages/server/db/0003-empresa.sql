create table empresa (
  account_id text collate "C" not null references account,
  id text collate "C" primary key,
  mode text not null check (mode in ('test', 'live')),
  rut text not null,
  legal_name text not null,
  giro text,
  acteco integer[] not null default '{}',
  street text,
  comuna text,
  city text,
  codigo_sucursal text,
  contact_email text,
  emission_channel text not null,
  certification_track text,
  doc_types integer[] not null,
  origen text not null,
  reception_email text,
  status text not null default 'active',
  iva_shape text,
  onboarding_status text not null,
  resolucion_numero integer,
  resolucion_fecha date,
  resolucion_status text,
  resolucion_verified_at timestamptz,
  resolucion_request json,
  -- The call that is asking the SII at this moment; and what it granted, sealed: a CAF holds a private key.
  resolucion_asked_by text,
  resolucion_asked_at timestamptz,
  resolucion_caf bytea,
  resolucion_refusal text,
  resolucion_boletas_fecha date,
  boleta_emission_enabled_at timestamptz,
  created_at timestamptz not null,
  unique (account_id, id),
  unique (mode, rut)
);
create index empresa_of_account on empresa (account_id, mode, id);
create unique index empresa_alias on empresa (reception_email) where reception_email is not null;

create table counterparty (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  rut text not null,
  legal_name text,
  giro text,
  street text,
  comuna text,
  city text,
  source text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (empresa_id, rut),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

create table counterparty_contact (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  counterparty_rut text not null,
  id text collate "C" primary key,
  name text,
  email text not null,
  phone text,
  is_primary boolean not null default false,
  opted_out_at timestamptz,
  created_at timestamptz not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade,
  foreign key (empresa_id, counterparty_rut) references counterparty (empresa_id, rut) on delete cascade
);
create unique index counterparty_contact_email on counterparty_contact (empresa_id, counterparty_rut, email);
create unique index counterparty_contact_primary on counterparty_contact (empresa_id, counterparty_rut) where is_primary;

create table branding (
  account_id text collate "C" not null,
  empresa_id text collate "C" primary key,
  mode text not null,
  logo bytea,
  logo_media_type text,
  logo_width integer,
  logo_height integer,
  print_format text not null default 'letter',
  footer_text text,
  updated_at timestamptz,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

create table automation_settings (
  account_id text collate "C" not null,
  empresa_id text collate "C" primary key,
  mode text not null,
  email_documents_on_acceptance boolean not null,
  request_folios_when_low boolean not null,
  sync_rcv_daily boolean not null,
  apply_characterization_suggestions boolean not null,
  updated_at timestamptz,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
