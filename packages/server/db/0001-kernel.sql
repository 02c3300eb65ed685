-- What every operation leans on: the ledger of events, the queue, idempotent answers and custody.

-- Forward readers of the ledger need positions that never appear behind one already read. A sequence
-- cannot give that (a later number may commit first), a transaction id can: everything below the oldest
-- running transaction is final. The offset keeps positions growing when a dump is restored into a
-- younger cluster, whose transaction ids start again.
create table ledger_epoch (
  one boolean primary key default true check (one),
  xid_offset bigint not null default 0
);
insert into ledger_epoch default values;

create function ledger_position() returns bigint language sql stable as
$$ select pg_current_xact_id()::text::bigint + xid_offset from ledger_epoch $$;

create function ledger_horizon() returns bigint language sql stable as
$$ select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + xid_offset from ledger_epoch $$;

create sequence event_seq;

-- `id` starts with the time of recording, so a range of ids is a range of time: lookups by id and
-- retention both touch one partition. `data` is json and not jsonb: what a delivery carries must be
-- byte for byte what a GET answered, and jsonb reorders keys.
create table event (
  id text collate "C" not null primary key,
  account_id text collate "C" not null,
  mode text not null,
  empresa_id text collate "C",
  empresa_rut text,
  type text collate "C" not null,
  created_at timestamptz not null,
  data json not null,
  position bigint not null default ledger_position(),
  seq bigint not null default nextval('event_seq')
) partition by range (id);
create index event_by_account on event (account_id, mode, position, seq);
create index event_by_type on event (account_id, mode, type, position, seq);
create index event_by_empresa on event (account_id, mode, empresa_id, position, seq) where empresa_id is not null;

create function refuse_change() returns trigger language plpgsql as
$$ begin raise exception 'the % ledger is append only', tg_table_name; end $$;
create trigger event_is_append_only before update or delete on event for each row execute function refuse_change();

create table idempotency (
  account_id text collate "C" not null,
  mode text not null,
  empresa_id text collate "C" not null,
  operation text not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  status smallint not null,
  answer bytea not null,
  created_at timestamptz not null default now()
) partition by range (created_at);
create index idempotency_by_key on idempotency (account_id, mode, empresa_id, operation, key, created_at desc);

create table job (
  id text collate "C" primary key,
  name text not null,
  type text,
  account_id text collate "C",
  mode text,
  empresa_id text collate "C",
  key text,
  payload json not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
  due_at timestamptz not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  looks integer not null default 0,
  max_attempts integer not null,
  lease_until timestamptz,
  worker text,
  result json,
  error json,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz
);
create index job_to_run on job (run_at, id) where status = 'queued';
create index job_leased on job (lease_until) where status = 'running';
create index job_of_account on job (account_id, mode, due_at) where status in ('queued', 'running');
create index job_finished on job (finished_at) where finished_at is not null;
create unique index job_key on job (name, key) where key is not null and status in ('queued', 'running');

create table test_clock (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null default '',
  offset_ms bigint not null default 0,
  frozen_at timestamptz,
  status text not null default 'ready',
  target timestamptz,
  updated_at timestamptz not null default now(),
  primary key (account_id, empresa_id)
);
