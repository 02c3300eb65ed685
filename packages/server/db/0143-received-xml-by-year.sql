-- The XML of what suppliers sent is cut by the year of the document's id, so that a year past its keeping is dropped at once: it is the
-- most of what receiving leaves. What was one table becomes that of its newest year; older years are copied.
do $$
declare
  newest int;
  oldest int;
  of_year text;
begin
  -- Ten digits of base 32: the milliseconds since 1970 at which a year begins, as ids begin.
  create function pg_temp.received_from(year int) returns text language sql as $f$
    select 'rcd_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
      ((extract(epoch from make_timestamptz(year, 1, 1, 0, 0, 0, 'UTC')) * 1000)::bigint >> (5 * (9 - n)) & 31)::int + 1, 1), ''
      order by n) || repeat('0', 16) from generate_series(0, 9) n
  $f$;
  newest := extract(year from now() at time zone 'UTC');
  while (select max(received_document_id) from received_document_xml) < pg_temp.received_from(newest) loop newest := newest - 1; end loop;
  while (select max(received_document_id) from received_document_xml) >= pg_temp.received_from(newest + 1) loop newest := newest + 1; end loop;
  oldest := newest;
  while (select min(received_document_id) from received_document_xml) < pg_temp.received_from(oldest) loop oldest := oldest - 1; end loop;

  of_year := 'received_document_xml_' || newest;
  execute format('alter table received_document_xml rename to %I', of_year);
  execute format('alter index received_document_xml_pkey rename to %I', of_year || '_pkey');
  execute format('create table received_document_xml (like %I including defaults including constraints including storage, '
    || 'constraint received_document_xml_pkey primary key (received_document_id), '
    || 'foreign key (account_id, empresa_id, received_document_id) references received_document (account_id, empresa_id, id) on delete cascade'
    || ') partition by range (received_document_id)', of_year);
  for year in oldest .. greatest(newest, extract(year from now() at time zone 'UTC')::int) loop
    if year <> newest then
      execute format('create table received_document_xml_%s (like %I including defaults including constraints including storage)', year, of_year);
      execute format('with moved as (delete from %I where received_document_id < %L returning *) '
        || 'insert into received_document_xml_%s select * from moved order by received_document_id',
        of_year, pg_temp.received_from(least(year + 1, newest)), year);
    end if;
    execute format('alter table received_document_xml attach partition received_document_xml_%s for values from (%L) to (%L)',
      year, pg_temp.received_from(year), pg_temp.received_from(year + 1));
  end loop;
end $$;
