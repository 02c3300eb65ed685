-- What an agent did by a grant, and what it was refused: for the person who let it in. No row for what it only read. `times`
-- counts a refusal that it ran into again and again. `id` starts with the time, so retention drops a partition.
create table agent_act (
  id text collate "C" not null primary key,
  account_id text collate "C" not null,
  mode text not null check (mode in ('test', 'live')),
  grant_id text collate "C" not null references agent_grant on delete cascade,
  empresa_rut text,
  operation text collate "C" not null,
  outcome text not null check (outcome in ('done', 'refused')),
  code text,
  -- Which limit stood in the way, where one did.
  exceeded text,
  subject text collate "C",
  amount bigint,
  times integer not null default 1 check (times > 0),
  -- By the clock of the account.
  created_at timestamptz not null
) partition by range (id);
create index agent_act_of_grant on agent_act (grant_id, id);
