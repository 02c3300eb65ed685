-- What became of each letter that carried a document: written when it was taken or given up, so that whoever tries again
-- never mails the same person twice. `id` starts with the time and cuts the table.
create table document_letter (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  document_id text collate "C" not null,
  job_id text collate "C" not null,
  id text collate "C" not null primary key,
  recipient text not null,
  -- Why it was not taken; null when it was.
  failure text,
  at timestamptz not null,
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
) partition by range (id);

-- Whoever asked not to be mailed is found by the address, whichever counterparty it belongs to.
create index counterparty_contact_opted_out on counterparty_contact (empresa_id, email) where opted_out_at is not null;
