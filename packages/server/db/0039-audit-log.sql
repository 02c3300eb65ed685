-- Who came in, with what, and what was done to credentials and to what stands in custody. `account_id` is null for a try at
-- an address that nobody has. `id` starts with the time, so retention drops a partition.
create table audit_entry (
  id text collate "C" not null primary key,
  account_id text collate "C",
  mode text,
  empresa_id text collate "C",
  empresa_rut text,
  action text collate "C" not null,
  outcome text not null check (outcome in ('succeeded', 'refused')),
  code text,
  actor_kind text not null check (actor_kind in ('key', 'session', 'agent', 'operator', 'link', 'anonymous', 'service')),
  actor_id text collate "C",
  ip text,
  request_id text collate "C",
  subject text,
  created_at timestamptz not null
) partition by range (id);
create index audit_entry_by_account on audit_entry (account_id, id);
create index audit_entry_by_actor on audit_entry (account_id, actor_id, id);

create trigger audit_entry_is_append_only before update or delete on audit_entry
  for each row execute function refuse_change();
create trigger audit_entry_is_not_emptied before truncate on audit_entry
  for each statement execute function refuse_change();
