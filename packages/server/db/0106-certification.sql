-- The certification of an empresa at the SII, run by the service: sets of tests, and every file that is made of them.

-- What is known of it as a whole, where something is.
create table certification (
  account_id text collate "C" not null,
  empresa_id text collate "C" primary key,
  mode text not null,
  -- The day of the authorisation to certify, which envelopes carry as their resolución, with number 0.
  resolucion_on date,
  -- What the SII said last, in its own words, and when.
  words text,
  said_at timestamptz,
  -- What the SII would refuse, found before anything was sent.
  findings json not null default '[]',
  -- What only the taxpayer knows, as they told it.
  inputs json not null default '{}',
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

-- A set as it came, byte for byte. One that takes its place leaves it for whoever looks back.
create table certification_set (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  kind text not null check (kind in ('facturas', 'boletas', 'boletas_exentas')),
  source text not null check (source in ('sii', 'file')),
  file bytea not null,
  -- The SII voids a set two months after it was handed out.
  downloaded_on date not null,
  received_at timestamptz not null,
  superseded_at timestamptz,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create unique index certification_set_current on certification_set (empresa_id, kind) where superseded_at is null;
create index certification_set_of_empresa on certification_set (account_id, empresa_id, id);

-- One file that goes to the SII, or came from it. It is signed and stored before it is sent, so that whatever happens in
-- between, the same bytes are sent again.
create table certification_file (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  set_id text collate "C" references certification_set (id) on delete cascade,
  -- The step of the onboarding that it belongs to.
  step text collate "C" not null,
  kind text collate "C" not null,
  -- Its place in the order in which the files of a step are sent.
  position integer not null,
  -- Counts how often the same was made, with other folios each time.
  attempt integer not null,
  file_name text not null,
  -- What is to be signed, and the ranges that its folios are from.
  plan json,
  cafs json not null default '{}',
  content bytea,
  status text not null default 'planned',
  track_id text,
  sent_at timestamptz,
  -- The SII's words for where it stands, and what it found.
  words text,
  findings json not null default '[]',
  created_at timestamptz not null,
  changed_at timestamptz not null,
  superseded_at timestamptz,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create unique index certification_file_current on certification_file (empresa_id, step, kind, position)
  where superseded_at is null;
create index certification_file_of_empresa on certification_file (account_id, empresa_id, id);
