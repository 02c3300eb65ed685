-- Whether somebody who was thrown out of the account may know the secret of an endpoint: it signs nothing until it is
-- replaced. Who made the secret that still signs beside the newest, and when, in real time.
alter table webhook_endpoint add column secret_exposed boolean not null default false,
  add column previous_secret_by text collate "C", add column previous_secret_at timestamptz;
update webhook_endpoint set secret_exposed = true, previous_secret = null, previous_secret_until = null
where status = 'disabled' and disabled_reason = 'account_recovered';

-- Whether nobody had come in to the account from the network of a session before it.
alter table session add column strange boolean not null default false;

-- Who last wrote a contact, to whom documents are sent, and when, in real time.
alter table counterparty_contact add column written_by text collate "C", add column written_at timestamptz;
create index counterparty_contact_written on counterparty_contact (account_id, written_at);
