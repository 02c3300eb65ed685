-- The monthly declaration of IVA and withheld taxes (F29): what it would say, and what was filed.

-- One for each period. `codes` are the figures of the last compute; `diff` is what the last version changed.
create table f29_proposal (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  period text collate "C" not null,
  version integer not null,
  inputs json not null,
  overrides json not null,
  codes json not null,
  diff json not null,
  warnings json not null,
  -- What the SII itself proposed when it was last asked; null: it never proposed anything.
  sii_codes json,
  sii_read_at timestamptz,
  due_date date not null,
  created_at timestamptz not null,
  computed_at timestamptz not null,
  unique (empresa_id, period),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

-- What the figures came from: entries that the form treats alike, added up, with the very entries. A few dozen rows a
-- period however many entries there are, so a compute copies no list of them through the service.
create table f29_lineage (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  period text collate "C" not null,
  ordinal integer not null,
  codes smallint[] not null default '{}',
  entry_ids text[] not null,
  primary key (empresa_id, period, ordinal),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

-- A declaration that was handed over, with the figures it carried.
create table f29_filing (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  period text collate "C" not null,
  status text not null default 'queued',
  proposal_version integer not null,
  codes json not null,
  total bigint not null,
  due_date date not null,
  track_id text,
  folio text,
  errors json not null default '[]',
  failure json,
  created_at timestamptz not null,
  submitted_at timestamptz,
  settled_at timestamptz,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index f29_filing_newest on f29_filing (empresa_id, id);
create index f29_filing_by_period on f29_filing (empresa_id, period, id);
create index f29_filing_by_status on f29_filing (empresa_id, status, id);
-- A period is filed once: only what failed makes room.
create unique index f29_filing_living on f29_filing (empresa_id, period) where status <> 'failed';

-- What the SII of test mode proposes for a period, and what it will find wrong with the next filing of it.
create table sandbox_f29 (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  period text collate "C" not null,
  proposed json,
  errors json,
  primary key (empresa_id, period),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

-- The declarations that the SII of test mode took.
create table sandbox_f29_filing (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  filing_id text collate "C" primary key,
  answers_at timestamptz not null,
  errors json not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

-- A link opens a document or the proposal of a period.
alter table public_link alter column document_id drop not null;
alter table public_link add column f29_period text collate "C";
alter table public_link add constraint public_link_opens_one check (num_nonnulls(document_id, f29_period) = 1);
alter table public_link add constraint public_link_of_f29
  foreign key (empresa_id, f29_period) references f29_proposal (empresa_id, period) on delete cascade;
create index public_link_of_period on public_link (empresa_id, f29_period, id) where f29_period is not null;
create unique index public_link_living_f29 on public_link (empresa_id, f29_period)
  where revoked_at is null and f29_period is not null;
