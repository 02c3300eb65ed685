-- The mirror of the registers of purchases and sales that the SII keeps of an empresa (RCV).

-- One entry of a period. The amounts, `tipo_compra` and `estado_contable` are what counts here: the decision of the
-- caller where there is one. `sii` is the same as the SII last showed it, and `before` as it was when somebody decided.
create table rcv_entry (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  period text collate "C" not null,
  side text collate "C" not null check (side in ('purchase', 'sale')),
  tipo_doc smallint not null,
  -- Null on the monthly summary of boletas and vouchers, which have neither.
  folio bigint,
  counterparty_rut text collate "C",
  natural_key text collate "C" not null
    generated always as (tipo_doc || ':' || coalesce(folio::text, '') || ':' || coalesce(counterparty_rut, '')) stored,
  counterparty_name text,
  issue_date date,
  received_at timestamptz,
  acknowledged_at timestamptz,
  claimed_at timestamptz,
  net bigint not null,
  exempt bigint not null,
  iva bigint not null,
  iva_not_recoverable bigint not null,
  iva_not_recoverable_code smallint,
  iva_common_use bigint not null,
  iva_fixed_assets bigint not null,
  net_fixed_assets bigint not null,
  other_taxes json not null,
  total bigint not null,
  documents integer not null default 1 check (documents >= 0),
  estado_contable text collate "C",
  tipo_compra smallint,
  tipo_venta smallint,
  characterized_by text not null check (characterized_by in ('sii', 'caller', 'suggestion')),
  -- Decided here, and the SII does not know it yet.
  untold boolean not null default false,
  reference_tipo_doc smallint,
  reference_folios text[] not null default '{}',
  -- Every other column of the export that held anything.
  other_columns json not null,
  document_id text collate "C",
  received_document_id text collate "C",
  first_seen_at timestamptz not null,
  changed_at timestamptz not null,
  withdrawn_at_sii timestamptz,
  sii json not null,
  before json,
  content_hash text collate "C" not null,
  unique (empresa_id, period, side, natural_key),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
-- One for each filter of the lists, in the order of the lists.
create index rcv_entry_newest on rcv_entry (empresa_id, period, side, id);
create index rcv_entry_by_tipo on rcv_entry (empresa_id, period, side, tipo_doc, id);
create index rcv_entry_by_counterparty on rcv_entry (empresa_id, period, side, counterparty_rut, id);
create index rcv_entry_by_estado on rcv_entry (empresa_id, period, estado_contable, id) where side = 'purchase';
create index rcv_entry_by_tipo_compra on rcv_entry (empresa_id, period, tipo_compra, id) where side = 'purchase';
create index rcv_entry_withdrawn on rcv_entry (empresa_id, period, side, id) where withdrawn_at_sii is not null;
-- What a supplier's entries were decided to be: the history that suggestions come from.
create index rcv_entry_decided on rcv_entry (empresa_id, counterparty_rut, id)
  where side = 'purchase' and characterized_by = 'caller';
create index rcv_entry_untold on rcv_entry (empresa_id, id) where untold;

-- The last reading of a period. A row without `last_synced_at` was asked for and never read.
create table rcv_sync (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  period text collate "C" not null,
  requested_at timestamptz,
  last_synced_at timestamptz,
  failed_at timestamptz,
  purchases integer not null default 0,
  sales integer not null default 0,
  partial_errors json not null default '[]',
  primary key (empresa_id, period),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

-- Whose register was read at least once: from then on it is read every day, and the year before was asked for.
create table rcv_mirror (
  account_id text collate "C" not null,
  empresa_id text collate "C" primary key,
  mode text not null,
  started_at timestamptz not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

-- What the SII of test mode holds beside the documents it took: entries that a test put there, entries that it hides,
-- and what was decided about an entry, wherever it comes from.
create table sandbox_rcv (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  period text collate "C" not null,
  side text collate "C" not null,
  natural_key text collate "C" not null,
  entry json,
  removed boolean not null default false,
  tipo_compra smallint,
  iva_not_recoverable_code smallint,
  estado_contable text,
  primary key (empresa_id, period, side, natural_key),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

-- Periods that are closed to changes: their declaration was filed.
create table rcv_lock (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  period text collate "C" not null,
  locked_at timestamptz not null,
  primary key (empresa_id, period),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
