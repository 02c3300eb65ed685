-- How many folios of a tipo went in a day of Santiago: what the forecast is made of. A day with a row is one on which
-- the stock was compared with the line of that day, whether or not folios went.
create table folio_use (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  tipo_dte integer not null,
  day date not null,
  used bigint not null,
  -- Below this the stock of that day lasts too short; null until it was computed.
  runway_line bigint,
  primary key (empresa_id, tipo_dte, day),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
) with (fillfactor = 70);

-- The last refusal of folios of a tipo: the service itself does not ask again before `retry_at`, and never where it is
-- null. A range that comes deletes it.
create table folio_refusal (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  tipo_dte integer not null,
  refusals integer not null,
  reason text not null,
  retry_at timestamptz,
  primary key (empresa_id, tipo_dte),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
