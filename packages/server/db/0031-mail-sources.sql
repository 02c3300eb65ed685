-- From where a mail came (of an IPv6 address the first 64 bits; forgotten after a day) and what reading it was wasted:
-- what one address, one sender or one mailbox may keep us busy with is bounded.
alter table reception_mail
  add column address text,
  add column wasted_ms integer not null default 0,
  add column wasted_bytes integer not null default 0;
create index reception_mail_busy_address on reception_mail (address, received_at)
  where taken_in_at is null or wasted_ms > 0;
create index reception_mail_busy_sender on reception_mail (sender, received_at)
  where taken_in_at is null or wasted_ms > 0;
create index reception_mail_busy_mailbox on reception_mail (account_id, empresa_id, received_at)
  where taken_in_at is null or wasted_ms > 0;
-- Whose day as a source is over.
create index reception_mail_with_address on reception_mail (received_at) where address is not null or wasted_ms > 0;

-- The bytes of what was set aside are kept for a while, the facts for good.
alter table reception_quarantine alter column raw drop not null;
create index reception_quarantine_with_bytes on reception_quarantine (id)
  where raw is not null and reason <> 'exchange_answer';
