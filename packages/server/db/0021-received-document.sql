-- One file that a supplier sent: an envelope, or a lone DTE. `number` is what our answers call it (CodEnvio).
create table reception (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  number bigint generated always as identity,
  source text not null,
  -- Who sent the mail, as the sender itself said: nothing proves it.
  sender text,
  file_name text not null,
  emisor_rut text,
  received_at timestamptz not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index reception_of_empresa on reception (account_id, empresa_id, id);

-- What suppliers issued to an empresa. Amounts are as written: it is their document.
create table received_document (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  reception_id text collate "C" not null references reception on delete cascade,
  status text not null,
  -- Whether the goods or services arrived; null where the tipo takes no answer.
  receipt_status text,
  emisor_rut text collate "C" not null,
  emisor_name text not null,
  emisor_giro text,
  tipo_dte smallint not null,
  folio bigint not null,
  issue_date date not null,
  net bigint not null,
  exempt bigint not null,
  iva bigint not null,
  total bigint not null,
  payment_form text,
  due_date date,
  items json not null,
  received_at timestamptz not null,
  -- When the SII received it, from where the eight days run (Ley 19.983, art. 3), and when they end.
  sii_received_at timestamptz not null,
  deadline_at timestamptz,
  -- How many days were left when it was last warned about.
  deadline_told smallint,
  answered_at timestamptz,
  acknowledged_at timestamptz,
  claims json not null,
  -- DigestValue of its signature: what tells the same document from another one under the same folio.
  digest text collate "C" not null,
  unique (account_id, empresa_id, id),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create unique index received_document_key on received_document (empresa_id, emisor_rut, tipo_dte, folio);
create index received_document_newest on received_document (empresa_id, received_at, id);
create index received_document_by_tipo on received_document (empresa_id, tipo_dte, received_at, id);
create index received_document_by_emisor on received_document (empresa_id, emisor_rut, received_at, id);
create index received_document_by_folio on received_document (empresa_id, folio);
create index received_document_by_issue_date on received_document (empresa_id, issue_date);
create index received_document_by_deadline on received_document (empresa_id, deadline_at) where deadline_at is not null;
-- Nearly everything ends accepted by silence, so whoever looks for anything else finds it in a short index.
create index received_document_by_status on received_document (empresa_id, status, received_at, id)
  where status <> 'accepted_tacitly';
create index received_document_of_reception on received_document (reception_id);

-- The signed XML, the very characters that came, and the document as the engine reads it for the printed page; null
-- where it reads the heading alone. Kept for six years (Código Tributario, art. 17 and 200).
create table received_document_xml (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  received_document_id text collate "C" primary key,
  xml bytea not null,
  dte json,
  resolucion json,
  foreign key (account_id, empresa_id, received_document_id)
    references received_document (account_id, empresa_id, id) on delete cascade
);

-- What was answered to a supplier: RecepcionEnvio about a file, ResultadoDTE and EnvioRecibos about a document.
-- `facts` says what the answer says; `xml` is there once it is signed.
create table received_answer (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  number bigint generated always as identity,
  kind text not null,
  reception_id text collate "C" not null references reception on delete cascade,
  received_document_id text collate "C",
  recipient text,
  facts json not null,
  xml bytea,
  failure text,
  created_at timestamptz not null,
  sent_at timestamptz,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index received_answer_of_reception on received_answer (reception_id);
create index received_answer_of_document on received_answer (received_document_id) where received_document_id is not null;

-- A mail as it came, until it is taken in: from the moment its sender is told 250, nothing of it can be lost.
create table reception_mail (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  sender text,
  raw bytea,
  received_at timestamptz not null,
  taken_in_at timestamptz,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index reception_mail_of_empresa on reception_mail (account_id, empresa_id, id);

-- What could not be taken in, as it came, and why.
create table reception_quarantine (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  source text not null,
  sender text,
  file_name text not null,
  emisor_rut text,
  reason text not null,
  message text not null,
  raw bytea not null,
  received_at timestamptz not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index reception_quarantine_of_empresa on reception_quarantine (account_id, empresa_id, id);

-- What the SII of test mode remembers of the answers it registered.
create table sandbox_claim (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  emisor_rut text collate "C" not null,
  tipo_dte smallint not null,
  folio bigint not null,
  action text not null,
  at timestamptz not null,
  primary key (empresa_id, emisor_rut, tipo_dte, folio, action),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
