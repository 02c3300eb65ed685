-- A cartola that is being undone is gone for every reader from the moment its mark commits; its rows go after that, in
-- batches. The functions are here, and not in a fragment, because expenses stand below movements and may not name them.
alter table statement add column undone_at timestamptz;
create index statement_undone on statement (empresa_id, id) where undone_at is not null;

-- Nearly always empty: a reader asks once for each statement that it sends.
create function undone_statements(of_empresa text) returns text[] stable language sql as $$
  select coalesce(array_agg(s.id), '{}') from statement s where s.empresa_id = of_empresa and s.undone_at is not null
$$;

-- Whether nobody tells a movement any more: its cartola is being undone, and no other one holds it too.
create function movement_is_undone(of_movement text, undone text[]) returns boolean stable language sql as $$
  select cardinality(undone) > 0 and exists (
    select 1 from movement m where m.id = of_movement and m.source_id = any(undone)
      and not exists (
        select 1 from movement_told_again t where t.movement_id = m.id and not t.statement_id = any(undone)))
$$;
