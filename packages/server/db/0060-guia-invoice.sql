-- Which factura invoices a guía. A guía is invoiced once: one whose factura was rejected, failed or annulled is free again.
create table guia_invoice (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  guia_id text collate "C" not null,
  factura_id text collate "C" not null,
  released_at timestamptz,
  primary key (factura_id, guia_id),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create unique index guia_invoiced_once on guia_invoice (guia_id) where released_at is null;
create index guia_invoice_of_empresa on guia_invoice (account_id, empresa_id);

-- Facturas from before that name guías of theirs, the oldest first where two name the same.
insert into guia_invoice (account_id, empresa_id, mode, guia_id, factura_id)
select f.account_id, f.empresa_id, f.mode, g.id, f.id
from document f
cross join lateral json_array_elements(
  case when json_typeof(f.draft -> 'references') = 'array' then f.draft -> 'references' else '[]' end) r
join document g on g.account_id = f.account_id and g.empresa_id = f.empresa_id and g.tipo_dte = 52
  and g.folio::text = r ->> 'folio' and g.receptor_rut = f.receptor_rut
where f.tipo_dte in (33, 34) and f.status not in ('rejected', 'failed', 'annulled') and r ->> 'tipo_dte' = '52'
  and r ->> 'emisor_rut' is null and g.draft #>> '{dispatch,transfer_type}' in ('1', '2', '3')
order by f.created_at, f.id
on conflict do nothing;

-- The annulment of the folios that a range still held: where it stands, and what of it.
alter table caf add column annulment_status text;
alter table caf add column annulment json;
