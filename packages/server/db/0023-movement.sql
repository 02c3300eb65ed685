-- Money that moved, as a bank or a card tells it, and what was spent.

-- One cartola that somebody uploaded, and what was understood of it.
create table statement (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  status text not null default 'importing',
  filename text,
  -- Of the very bytes that came: tells the same file from another one.
  content_hash text collate "C" not null,
  bank_account text not null,
  currency text collate "C" not null,
  first_date date not null,
  last_date date not null,
  rows integer not null,
  imported integer not null default 0,
  duplicates integer not null default 0,
  skipped integer not null,
  understood json not null,
  failure json,
  created_at timestamptz not null,
  imported_at timestamptz,
  unique (account_id, empresa_id, id),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index statement_newest on statement (empresa_id, id);
create index statement_by_status on statement (empresa_id, status, id) where status <> 'imported';

-- The file itself, until its lines are in: a job that dies begins again from here.
create table statement_file (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  statement_id text collate "C" primary key,
  bytes bytea not null,
  options json not null,
  foreign key (account_id, empresa_id, statement_id)
    references statement (account_id, empresa_id, id) on delete cascade
);

-- One movement of an account. `amount` is in the smallest unit of its currency, positive when money came in.
create table movement (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  source_type text collate "C" not null check (source_type in ('statement', 'connection')),
  source_id text collate "C" not null,
  external_id text collate "C",
  -- What tells it from every other one, so that what comes twice is kept once.
  line_key text collate "C" not null,
  bank_account text not null,
  post_date date not null,
  amount bigint not null,
  currency text collate "C" not null,
  description text not null,
  counterparty_rut text collate "C",
  counterparty_name text,
  matched_document_id text collate "C",
  matched_received_document_id text collate "C",
  -- Why it was matched: confidence, reasons, by whom and when.
  match jsonb,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  removed_at timestamptz,
  unique (empresa_id, line_key),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index movement_newest on movement (empresa_id, post_date, id) where removed_at is null;
create index movement_incoming on movement (empresa_id, post_date, id) where removed_at is null and amount > 0;
create index movement_outgoing on movement (empresa_id, post_date, id) where removed_at is null and amount < 0;
create index movement_by_source on movement (empresa_id, source_type, post_date, id) where removed_at is null;
create index movement_by_currency on movement (empresa_id, currency, post_date, id) where removed_at is null;
create index movement_of_source on movement (empresa_id, source_id, id);

-- What was spent: written down by hand, or an outgoing movement, with which it changes and goes.
create table expense (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  source text collate "C" not null check (source in ('manual', 'movement')),
  movement_id text collate "C" unique references movement on delete cascade,
  date date not null,
  description text not null,
  provider_name text not null,
  provider_rut text collate "C",
  provider_country text collate "C",
  -- Positive, in the smallest unit of its currency.
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  category text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  removed_at timestamptz,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index expense_newest on expense (empresa_id, date, id) where removed_at is null;
create index expense_by_source on expense (empresa_id, source, date, id) where removed_at is null;
create index expense_by_currency on expense (empresa_id, currency, date, id) where removed_at is null;
create index expense_by_rut on expense (empresa_id, provider_rut, date, id) where removed_at is null;
create index expense_by_provider on expense (empresa_id, lower(provider_name), date, id) where removed_at is null;
