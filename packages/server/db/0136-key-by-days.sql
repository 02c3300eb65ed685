-- A key is looked for in the days that can hold it, and no longer in all that were made ahead: a plan that is made once
-- leaves those out as it starts. The half day beyond now is for answers kept while a clock ran ahead.
create or replace function take_key(
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
      and i.operation = of_operation and i.key = of_key
      and i.created_at > since and i.created_at < since + interval '36 hours'
    order by i.created_at desc limit 1;
  if not found then
    return query select true, null::bytea, null::smallint, null::bytea;
  end if;
end
$$;
