-- Banks that a person linked, through a provider that reads their movements.

-- One link. What opens it at the provider (`link_token`), and what the page of the person needs (`widget`), rest sealed
-- and go when they are no longer needed; of the address of that page only the hash rests here.
create table connection (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  status text collate "C" not null default 'pending_link',
  provider text collate "C" not null,
  name text,
  holder_type text collate "C" not null check (holder_type in ('individual', 'business')),
  requested_institution text,
  institution json,
  holder_rut text collate "C",
  -- As a GET shows them, and their ids at the provider, by which its notices name them.
  accounts json not null default '[]',
  account_ids text[] not null default '{}',
  link_id text collate "C",
  link_token bytea,
  widget bytea,
  connect_hash bytea unique,
  connect_expires_at timestamptz,
  linked_at timestamptz,
  refresh_asked_at timestamptz,
  next_refresh_allowed_at timestamptz,
  sync_job_id text collate "C",
  last_synced_at timestamptz,
  -- Readings that went wrong since the last that did not, and why the last of them did.
  failures integer not null default 0,
  failure json,
  created_at timestamptz not null,
  check (status <> 'deleted' or (link_token is null and widget is null and connect_hash is null)),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index connection_newest on connection (empresa_id, id) where status <> 'deleted';
create index connection_by_status on connection (empresa_id, status, id) where status <> 'deleted';
-- Notices of the provider know no tenant.
create index connection_of_link on connection (link_id) where link_id is not null;
create index connection_of_accounts on connection using gin (account_ids);

-- What the bank of test mode remembers of a link: how often it was asked anew.
create table sandbox_bank_link (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  link_token text collate "C" primary key,
  institution_id text collate "C" not null,
  refreshes integer not null default 0,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
