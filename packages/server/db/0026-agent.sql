-- What a person allowed a program that speaks for them. The row outlives its end: it is the record of who was let in.
create table agent_grant (
  id text collate "C" primary key,
  account_id text collate "C" not null references account,
  mode text not null check (mode in ('test', 'live')),
  client_id text not null,
  -- As the client calls itself: nobody checked it.
  client_name text not null,
  client_host text not null,
  scopes text[] not null,
  empresas text[] not null,
  two_steps boolean not null,
  max_clp_per_document bigint check (max_clp_per_document > 0),
  max_clp_per_day bigint check (max_clp_per_day > 0),
  tipos integer[],
  receptores text[],
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index agent_grant_by_account on agent_grant (account_id, mode, id);

-- Pesos an agent issued for on a day of Santiago. The row is held while a document is made, so that two never pass together.
create table agent_spend (
  grant_id text collate "C" not null references agent_grant on delete cascade,
  day date not null,
  spent bigint not null check (spent >= 0),
  primary key (grant_id, day)
);

-- What the authorization server keeps: clients, sessions, questions under way, codes and tokens. Whatever is a secret
-- is kept as its SHA-256 alone, and the value itself is in no column.
create table oauth_item (
  model text not null,
  hash bytea not null,
  uid_hash bytea,
  grant_id text collate "C",
  payload jsonb not null,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (model, hash)
);
create index oauth_item_by_grant on oauth_item (grant_id) where grant_id is not null;
create index oauth_item_by_uid on oauth_item (uid_hash) where uid_hash is not null;
create index oauth_item_expiring on oauth_item (expires_at) where expires_at is not null;
