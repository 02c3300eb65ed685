-- Whether another cartola tells a movement too is asked within the empresa, as everything is.
create or replace function undone_movements(of_empresa text) returns setof text stable language sql rows 1000 as $$
  with undone as materialized (select undone_statements(of_empresa) as ids)
  select m.id from undone u
  join movement m on m.empresa_id = of_empresa and m.source_id = any(u.ids)
  where not exists (
    select 1 from movement_told_again t
    where t.empresa_id = of_empresa and t.movement_id = m.id and not t.statement_id = any(u.ids))
$$;
