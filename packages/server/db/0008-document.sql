-- What an empresa issues. `draft` is the document as the engine takes it, with the emisor and the receptor as they
-- were when it was created: what was asked for never changes afterwards, only where it stands.
create table document (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  status text not null,
  tipo_dte smallint not null,
  folio bigint,
  issue_date date not null,
  net bigint not null,
  iva bigint not null,
  exempt bigint not null,
  total bigint not null,
  receptor_rut text collate "C" not null,
  draft json not null,
  -- Which of the four places gave each field of the receptor.
  receptor_sources json not null,
  external_id text collate "C",
  metadata json not null,
  pdf_format text,
  pdf_cedible boolean not null,
  -- The document this one annuls once the SII accepts it.
  annuls_id text collate "C",
  caf_id text collate "C",
  track_id text collate "C",
  -- What the SII said: its code, and its own words beside our explanation of them.
  estado text,
  sii_answer json,
  -- Why it is `failed`, as { code, message }.
  failure json,
  cesion_status text,
  created_at timestamptz not null,
  sent_at timestamptz,
  settled_at timestamptz,
  unique (account_id, empresa_id, id),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create unique index document_folio on document (empresa_id, tipo_dte, folio) where folio is not null;
create unique index document_external_id on document (empresa_id, external_id) where external_id is not null;
create index document_newest on document (empresa_id, created_at, id);
create index document_by_tipo on document (empresa_id, tipo_dte, created_at, id);
create index document_by_receptor on document (empresa_id, receptor_rut, created_at, id);
create index document_by_issue_date on document (empresa_id, issue_date);
-- Nearly everything ends accepted, so whoever looks for anything else finds it in a short index.
create index document_by_status on document (empresa_id, status, created_at, id) where status <> 'accepted';
create index document_by_track on document (empresa_id, track_id) where status = 'sent';

-- Both are cut by the id of the document, which starts with the time: a look-up touches one partition, and after six
-- years (Código Tributario, art. 17 and 200) retention drops a month at a time.
create sequence document_journal_seq;
create table document_journal (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  document_id text collate "C" not null,
  seq bigint not null default nextval('document_journal_seq'),
  type text collate "C" not null,
  at timestamptz not null,
  detail json not null,
  primary key (document_id, seq),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
) partition by range (document_id);
create trigger document_journal_is_append_only before update on document_journal
  for each row execute function refuse_change();

-- The signed XML as sent, ISO-8859-1 bytes. It is the tax document: it commits with the folio it carries.
create table document_xml (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  document_id text collate "C" not null primary key,
  xml bytea not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
) partition by range (document_id);

create table document_preview (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  preview json not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index document_preview_old on document_preview (expires_at);
