create table account (
  id text collate "C" primary key,
  email text not null,
  name text not null,
  plan text not null default 'starter',
  password_hash text not null,
  email_verified_at timestamptz,
  created_at timestamptz not null,
  closed_at timestamptz
);
create unique index account_email on account (email) where closed_at is null;

-- One-use links sent by mail. Only the hash of the token is kept.
create table account_link (
  token_hash bytea primary key,
  account_id text collate "C" not null references account,
  kind text not null check (kind in ('verify_email', 'reset_password', 'change_email')),
  email text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index account_link_by_account on account_link (account_id, kind);

create table session (
  id text collate "C" primary key,
  account_id text collate "C" not null references account,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index session_by_account on session (account_id);

create table api_key (
  id text collate "C" primary key,
  account_id text collate "C" not null references account,
  name text not null,
  mode text not null check (mode in ('test', 'live')),
  root boolean not null,
  last4 text not null,
  scopes text[] not null,
  empresas text[] not null,
  version integer not null default 1,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_key_by_account on api_key (account_id, id);

-- A rolled key has two rows until the older one expires. `hash` is SHA-256 of 256 random bits.
create table api_key_secret (
  hash bytea primary key,
  key_id text collate "C" not null references api_key,
  expires_at timestamptz
);
create index api_key_secret_by_key on api_key_secret (key_id);
