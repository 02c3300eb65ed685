-- An empresa with very many rows is deleted by leaving both modes: every statement names the mode, so nobody finds it
-- or anything under it from the commit on. Its rows go after that, in batches, and the row itself last.
alter table empresa drop constraint empresa_mode_check;
alter table empresa add constraint empresa_mode_check check (mode in ('test', 'live', 'deleted'));

-- As a set, which a statement hashes once: asking row by row took seconds while a large cartola was being removed.
drop function movement_is_undone(text, text[]);
create function undone_movements(of_empresa text) returns setof text stable language sql rows 1000 as $$
  with undone as materialized (select undone_statements(of_empresa) as ids)
  select m.id from undone u
  join movement m on m.empresa_id = of_empresa and m.source_id = any(u.ids)
  where not exists (select 1 from movement_told_again t where t.movement_id = m.id and not t.statement_id = any(u.ids))
$$;
