-- Who owes what: how much each document asks for, what notas de crédito took off, and what was paid, by movements of the
-- bank or as somebody recorded it. The sums stand on the document, for every answer and event shows them; triggers keep
-- them, for matches also go when a cartola is undone or a bank takes a movement back.
alter table document add column due_date date;
-- Nothing where nobody owes it: boletas, guías, notas de crédito, deliveries free of charge.
alter table document add column owed_amount bigint not null default 0;
alter table document add column credited_amount bigint not null default 0;
alter table document add column paid_amount bigint not null default 0;
alter table document add column paid_at timestamptz;
alter table document add column overdue_at timestamptz;

-- The document that a nota of a supplier is about.
alter table received_document add column about_tipo smallint;
alter table received_document add column about_folio bigint;
alter table received_document add column credited_amount bigint not null default 0;
alter table received_document add column paid_amount bigint not null default 0;
alter table received_document add column paid_at timestamptz;
alter table received_document add column overdue_at timestamptz;

-- Payments outside the bank, as somebody recorded them.
create table payment (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  target_id text collate "C" not null,
  amount bigint not null check (amount > 0),
  paid_on date not null,
  method text,
  note text,
  created_at timestamptz not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index payment_of_target on payment (empresa_id, target_id, id);

-- Adds to what was paid, and never sets it: of two payments at once both count.
create function add_paid(of_empresa text, target text, delta bigint) returns void language sql as $$
  update document set paid_amount = paid_amount + delta,
    paid_at = case when owed_amount - credited_amount - paid_amount - delta > 0 then null else paid_at end
  where target like 'doc\_%' and id = target and empresa_id = of_empresa;
  update received_document set paid_amount = paid_amount + delta,
    paid_at = case when total - credited_amount - paid_amount - delta > 0 then null else paid_at end
  where target like 'rcd\_%' and id = target and empresa_id = of_empresa;
$$;

create function count_payment() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.target_id = new.target_id and old.amount = new.amount then return null; end if;
  if tg_op <> 'INSERT' then perform add_paid(old.empresa_id, old.target_id, -abs(old.amount)); end if;
  if tg_op <> 'DELETE' then perform add_paid(new.empresa_id, new.target_id, abs(new.amount)); end if;
  return null;
end $$;
create trigger movement_match_counts after insert or update or delete on movement_match
  for each row execute function count_payment();
create trigger payment_counts after insert or delete on payment for each row execute function count_payment();

create function add_credited(target text, delta bigint) returns void language sql as $$
  update document set credited_amount = credited_amount + delta,
    paid_at = case when owed_amount - credited_amount - delta - paid_amount > 0 then null else paid_at end
  where id = target;
$$;

-- A nota de crédito takes off what it says once the SII took it. A nota de débito about one gives that back; where it
-- annuls a nota de crédito, the end of that one does.
create function count_nota() returns trigger language plpgsql as $$
declare
  delta bigint := new.total * ((new.status in ('accepted', 'reparo'))::int - (old.status in ('accepted', 'reparo'))::int);
  about document;
begin
  if delta = 0 then return null; end if;
  if new.tipo_dte = 61 then perform add_credited(new.corrects_id, delta); return null; end if;
  select * into about from document where id = new.corrects_id and tipo_dte = 61;
  if about.corrects_id is not null and (new.annuls_id is null or about.status = 'reparo') then
    perform add_credited(about.corrects_id, -delta);
  end if;
  return null;
end $$;
create trigger document_nota_counts after update of status on document for each row
  when (new.corrects_id is not null and new.tipo_dte in (56, 61) and old.status is distinct from new.status)
  execute function count_nota();

create function add_received_credit(nota received_document, sign int) returns void language plpgsql as $$
begin
  if nota.about_folio is null or nota.status = 'rejected' then return; end if;
  update received_document f set credited_amount = f.credited_amount + sign * nota.total,
    paid_at = case when f.total - f.credited_amount - sign * nota.total - f.paid_amount > 0 then null else f.paid_at end
  where nota.tipo_dte = 61 and f.empresa_id = nota.empresa_id and f.emisor_rut = nota.emisor_rut
    and f.tipo_dte = nota.about_tipo and f.folio = nota.about_folio;
  update received_document f set credited_amount = f.credited_amount - sign * nota.total
  from received_document n
  where nota.tipo_dte = 56 and nota.about_tipo = 61 and n.empresa_id = nota.empresa_id and n.emisor_rut = nota.emisor_rut
    and n.tipo_dte = 61 and n.folio = nota.about_folio and f.empresa_id = n.empresa_id and f.emisor_rut = n.emisor_rut
    and f.tipo_dte = n.about_tipo and f.folio = n.about_folio;
end $$;

create function count_received_nota() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then perform add_received_credit(old, -1); end if;
  perform add_received_credit(new, 1);
  return null;
end $$;
create trigger received_nota_counts after insert on received_document for each row
  when (new.tipo_dte in (56, 61)) execute function count_received_nota();
create trigger received_nota_recounts after update of status, total, about_tipo, about_folio on received_document
  for each row when (new.tipo_dte in (56, 61)) execute function count_received_nota();

-- A nota may arrive before what it is about.
create function credit_arrival() returns trigger language plpgsql as $$
begin
  new.credited_amount := coalesce((
    select sum(n.total) from received_document n
    where n.empresa_id = new.empresa_id and n.emisor_rut = new.emisor_rut and n.tipo_dte = 61
      and n.about_tipo = new.tipo_dte and n.about_folio = new.folio and n.status <> 'rejected'), 0);
  return new;
end $$;
create trigger received_document_is_credited before insert on received_document for each row
  when (new.tipo_dte not in (56, 61)) execute function credit_arrival();

-- What is here already.
update document d set owed_amount = d.total, due_date = coalesce(
    (select max(i ->> 'date') from json_array_elements(case when json_typeof(d.draft #> '{payment,instalments}') = 'array'
      then d.draft #> '{payment,instalments}' else '[]' end) i)::date,
    (d.draft #>> '{payment,due_date}')::date,
    d.issue_date + case when d.draft #>> '{payment,form}' = 'cash' then 0 else 30 end)
where d.tipo_dte in (33, 34, 46, 56) and d.draft #>> '{payment,form}' is distinct from 'free'
  and not (d.tipo_dte = 56 and d.draft #>> '{references,0,tipo_dte}' is not distinct from '61');
update document d set credited_amount = n.total
from (select corrects_id, sum(total) as total from document
  where tipo_dte = 61 and corrects_id is not null and status in ('accepted', 'reparo') group by 1) n
where d.id = n.corrects_id;
update received_document r set about_tipo = (x.dte #>> '{references,0,tipo_dte}')::smallint,
  about_folio = (x.dte #>> '{references,0,folio}')::bigint
from received_document_xml x
where x.received_document_id = r.id and r.tipo_dte in (56, 61) and x.dte #>> '{references,0,tipo_dte}' ~ '^[0-9]{1,3}$'
  and x.dte #>> '{references,0,folio}' ~ '^[0-9]{1,10}$';
update document d set paid_amount = x.paid,
  paid_at = case when d.owed_amount > 0 and d.owed_amount - d.credited_amount - x.paid <= 0 then x.at end
from (select target_id, sum(abs(m.amount)) as paid, max((v.match ->> 'matched_at')::timestamptz) as at
  from movement_match m join movement v on v.id = m.movement_id group by 1) x
where d.id = x.target_id;
update received_document d set paid_amount = x.paid,
  paid_at = case when d.total - d.credited_amount - x.paid <= 0 then x.at end
from (select target_id, sum(abs(m.amount)) as paid, max((v.match ->> 'matched_at')::timestamptz) as at
  from movement_match m join movement v on v.id = m.movement_id group by 1) x
where d.id = x.target_id;
-- Nobody is told today of what was due long ago.
update document set overdue_at = now() where due_date < current_date;
update received_document set overdue_at = now() where coalesce(due_date, issue_date + 30) < current_date;

create index document_owed on document (empresa_id, receptor_rut) where owed_amount > 0 and paid_at is null;
create index received_document_owed on received_document (empresa_id, emisor_rut) where paid_at is null;
create index received_document_notas on received_document (empresa_id, emisor_rut, about_tipo, about_folio)
  where about_folio is not null;
