-- Lanes: jobs that belong together wait in one line, and lines take turns. A line of a million jobs delays only itself.
-- A pool is a share of a worker's hands: what may hang (a stranger's server) never holds the hands that do other work.
-- `parked` keeps what is due much later out of the index that workers walk; it is brought back when its time is near.
alter table job
  add column pool text not null default 'work',
  add column lane text collate "C" not null default '',
  add column parked boolean not null default false;
drop index job_to_run;
create index job_to_run on job (pool, lane, run_at, id) where status = 'queued' and not parked;
create index job_parked on job (run_at) where status = 'queued' and parked;

-- Takes an idempotency key and reads its answer, in this order, within one statement of a larger whole. A function
-- that may change things looks afresh at each of its own statements, so the answer of whoever held the lock before
-- is seen here even though the statement around it began earlier.
create function take_key(
  lock bigint, of_account text, of_mode text, of_empresa text, of_operation text, of_key text, since timestamptz
) returns table (free boolean, fingerprint bytea, status smallint, answer bytea) language plpgsql volatile as
$$
#variable_conflict use_column
begin
  if not pg_try_advisory_xact_lock(lock) then
    return query select false, null::bytea, null::smallint, null::bytea;
    return;
  end if;
  return query
    select true, i.fingerprint, i.status, i.answer from idempotency i
    where i.account_id = of_account and i.mode = of_mode and i.empresa_id = of_empresa
      and i.operation = of_operation and i.key = of_key and i.created_at > since
    order by i.created_at desc limit 1;
  if not found then
    return query select true, null::bytea, null::smallint, null::bytea;
  end if;
end
$$;
