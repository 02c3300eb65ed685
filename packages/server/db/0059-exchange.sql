-- Exchange mailboxes of the electronic taxpayers, as the SII lists them (ce_empresas_dwnld, MAIL INTERCAMBIO): loaded as
-- the rest of the nómina is, and named by no foreign key for the same reason.
create table contribuyente_mailbox (
  rut integer not null,
  email text not null
);
create index contribuyente_mailbox_rut on contribuyente_mailbox (rut);
alter table nomina_load drop constraint nomina_load_dataset_check;
alter table nomina_load add constraint nomina_load_dataset_check
  check (dataset in ('names', 'activities', 'addresses', 'mailboxes'));

-- An electronic emisor sends each document to the mailbox of its electronic receptor: on unless it is turned off.
alter table automation_settings add column exchange_documents_on_acceptance boolean not null default true;

-- Whether the document went to that mailbox, and what is shown of it; null before, and where it goes nowhere.
alter table document add column exchange_status text;
alter table document add column exchange json;

-- The EnvioDTE addressed to the receptor, ISO-8859-1 bytes: signed once, and the same in every mail that carries it.
create table document_envelope (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  document_id text collate "C" primary key,
  xml bytea not null,
  foreign key (account_id, empresa_id, document_id) references document (account_id, empresa_id, id) on delete cascade
);
