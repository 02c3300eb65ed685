-- The published nómina of contribuyentes: reference data without a tenant. A load fills tables of the same shape aside
-- and then puts them in the place of these, so nothing may reference them by foreign key. RUTs are indexed and not
-- unique: the SII promises no layout and no order, and one row too many must not cost the other million.
create table contribuyente (
  rut integer not null,
  legal_name text not null,
  subtype text,
  started_on date,
  ended_on date
);
create index contribuyente_rut on contribuyente (rut);

-- `code` is text: 94 of the codes start with 0, and an older list uses the same numbers for other activities.
create table contribuyente_activity (
  rut integer not null,
  code text not null,
  description text,
  started_on date,
  affects_iva boolean,
  category text
);
create index contribuyente_activity_rut on contribuyente_activity (rut);

create table contribuyente_address (
  rut integer not null,
  in_force boolean,
  declared_on date,
  kind text,
  street text,
  number text,
  block text,
  apartment text,
  villa text,
  city text,
  comuna text,
  region text
);
create index contribuyente_address_rut on contribuyente_address (rut);

-- What is loaded. No row for the names: nothing is, and a lookup says so instead of saying that nobody exists.
create table nomina_load (
  dataset text primary key check (dataset in ('names', 'activities', 'addresses')),
  published_at timestamptz not null,
  loaded_at timestamptz not null,
  row_count bigint not null,
  refused_count bigint not null
);
