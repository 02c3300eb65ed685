-- Ranges of folios that the SII authorised, each with the key that stamps its documents.

-- A single text as a range, so that a constraint can ask two questions at once (same series, overlapping folios)
-- with what every PostgreSQL has: equality of texts in such an index would need an extension.
create type text_span as range (subtype = text, collation = "C");

-- `sealed` is the file of the SII as it came: it holds a private key. Folios of the two ambientes are counted apart,
-- as the SII does: both start at 1.
create table caf (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null check (mode in ('test', 'live')),
  id text collate "C" primary key,
  tipo_dte integer not null,
  ambiente text not null check (ambiente in ('certificacion', 'produccion')),
  from_folio bigint not null check (from_folio >= 1),
  to_folio bigint not null,
  next_folio bigint not null,
  -- Written by the database, so that a draw changes no column an index knows until the last folio is gone.
  spent boolean not null generated always as (next_folio > to_folio) stored,
  authorised_on date not null,
  expires_on date,
  key_id integer not null,
  source text not null check (source in ('upload', 'request', 'sandbox', 'resolucion')),
  status text not null default 'active',
  -- The job that asked for it: one that runs again after a crash finds what it brought.
  requested_by text collate "C",
  sealed bytea not null,
  created_at timestamptz not null,
  deactivated_at timestamptz,
  -- The last day on which its coming end was told.
  expiry_told_on date,
  check (from_folio <= next_folio and next_folio <= to_folio + 1),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade,
  -- Also with ranges that were deactivated: a folio of theirs may be on a document.
  constraint caf_overlap exclude using gist (
    text_span(empresa_id, empresa_id, '[]') with &&,
    int4range(tipo_dte, tipo_dte, '[]') with &&,
    text_span(ambiente, ambiente, '[]') with &&,
    int8range(from_folio, to_folio, '[]') with &&
  )
) with (fillfactor = 70);
create index caf_chain on caf (empresa_id, ambiente, tipo_dte, from_folio) where status = 'active' and not spent;
create index caf_highest on caf (empresa_id, ambiente, tipo_dte, to_folio);
create index caf_of_empresa on caf (account_id, empresa_id, id);
create unique index caf_requested_by on caf (requested_by) where requested_by is not null;

-- What the SII of test mode signs with: made once in an installation, on first use, and shared by its processes.
create table sandbox_key (
  name text primary key,
  sealed bytea not null,
  created_at timestamptz not null
);
