-- When somebody last asked the operator for the subscription of an empresa, on its checkout page: they are written to once
-- a day at most.
create table subscription_request (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null primary key,
  mode text not null,
  requested_at timestamptz not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
