-- A key that nobody used, as nearly all are, is told without a second query. The lock is asked for before the query, which sees
-- by its own snapshot what was committed until then.
create or replace function take_key(
  lock bigint, of_account text, of_mode text, of_empresa text, of_operation text, of_key text, since timestamptz
) returns table (free boolean, fingerprint bytea, status smallint, answer bytea) language plpgsql volatile as
$$
#variable_conflict use_column
begin
  free := pg_try_advisory_xact_lock(lock);
  if free then
    select i.fingerprint, i.status, i.answer into fingerprint, status, answer from idempotency i
    where i.account_id = of_account and i.mode = of_mode and i.empresa_id = of_empresa
      and i.operation = of_operation and i.key = of_key
      and i.created_at > since and i.created_at < since + interval '36 hours'
    order by i.created_at desc limit 1;
  end if;
  return next;
end
$$;

-- The same of the keys of calls that are written together: one query, and only whether all are free and nobody used any.
create function take_keys(
  locks bigint[], of_accounts text[], of_modes text[], of_empresas text[], of_operations text[], of_keys text[], since timestamptz,
  out free boolean, out unused boolean
) language plpgsql volatile as
$$
begin
  free := (select bool_and(pg_try_advisory_xact_lock(lock)) from unnest(locks) as l (lock));
  unused := free and not exists (
    select from unnest(of_accounts, of_modes, of_empresas, of_operations, of_keys) as k (account_id, mode, empresa_id, operation, key),
      lateral (
        select from idempotency i
        where i.account_id = k.account_id and i.mode = k.mode and i.empresa_id = k.empresa_id
          and i.operation = k.operation and i.key = k.key
          and i.created_at > since and i.created_at < since + interval '36 hours'
        limit 1) i);
end
$$;
