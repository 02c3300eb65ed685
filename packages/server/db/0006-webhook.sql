-- Endpoints of an account in a mode, and what was sent to them.

create table webhook_endpoint (
  account_id text collate "C" not null references account,
  id text collate "C" primary key,
  mode text not null check (mode in ('test', 'live')),
  url text not null,
  description text not null,
  enabled_events text[] not null,
  empresas text[] not null,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  disabled_reason text,
  -- Sealed: they sign, so they must be read back.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- What went wrong since the last success: it decides when to give up on the endpoint.
  failing_since timestamptz,
  failures integer not null default 0,
  failing_event_id text collate "C",
  fails_several_events boolean not null default false,
  created_at timestamptz not null
);
create index webhook_endpoint_of_account on webhook_endpoint (account_id, mode, id);

-- One row for each event and endpoint, and one for each replay. The id starts with the time, so a range of ids is a
-- range of time. `status` is derived: nobody can write it beside the facts.
create table webhook_delivery (
  account_id text collate "C" not null,
  mode text not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  empresa_rut text,
  trigger text not null check (trigger in ('automatic', 'replay', 'ping')),
  attempts smallint not null default 0,
  succeeded boolean,
  status text not null generated always as
    (case when succeeded is null then 'pending' when succeeded then 'succeeded' else 'failed' end) stored,
  response_status smallint,
  response_excerpt text,
  error text,
  duration_ms integer,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (id)
) partition by range (id);
create index webhook_delivery_of_endpoint on webhook_delivery (endpoint_id, id);
create index webhook_delivery_of_event on webhook_delivery (event_id);
create index webhook_delivery_unsettled on webhook_delivery (endpoint_id, status, id) where status <> 'succeeded';

-- Every request that was made, in the partition of its delivery.
create table webhook_attempt (
  account_id text collate "C" not null,
  mode text not null,
  delivery_id text collate "C" not null,
  attempt smallint not null,
  at timestamptz not null,
  response_status smallint,
  error text,
  duration_ms integer not null
) partition by range (delivery_id);
create index webhook_attempt_of_delivery on webhook_attempt (delivery_id);
create trigger webhook_attempt_is_append_only before update or delete on webhook_attempt
  for each row execute function refuse_change();

-- The ledger is asked for the events of an empresa by its RUT; and a credential of one empresa reads those of the
-- account itself too, which are few.
drop index event_by_empresa;
create index event_by_empresa on event (account_id, mode, empresa_rut, position, seq) where empresa_rut is not null;
create index event_of_account_itself on event (account_id, mode, position, seq) where empresa_rut is null;
