-- Folios that the SII was about to give when it was asked for them, until their CAF is in custody: a process that dies in
-- between leaves a range that only the SII knows of, and that nobody would ever use.
create table folio_offer (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  ambiente text not null,
  tipo_dte smallint not null,
  from_folio bigint not null,
  to_folio bigint not null,
  offered_at timestamptz not null,
  primary key (empresa_id, ambiente, tipo_dte, from_folio, to_folio),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
