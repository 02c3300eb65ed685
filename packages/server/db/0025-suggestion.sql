-- What movements were for, and what they suggest should be done.

-- Null until it was looked at in the state it is in: what its bank changes or takes back is looked at again.
alter table movement add column reviewed_at timestamptz;
create index movement_unreviewed on movement (empresa_id, id) where reviewed_at is null;
create index movement_matched on movement (empresa_id, post_date, id) where removed_at is null and match is not null;
create index movement_unmatched on movement (empresa_id, post_date, id) where removed_at is null and match is null;

create function forget_review() returns trigger language plpgsql as $$
begin
  new.reviewed_at := null;
  return new;
end $$;
create trigger movement_is_reviewed_again
  before update of bank_account, post_date, amount, currency, description, counterparty_rut, counterparty_name, removed_at
  on movement for each row execute function forget_review();

-- Which documents a movement pays: one of ours, one of a supplier, or a purchase that only the register tells of.
-- `amount` is how much of the document it pays, in pesos; negative for a nota de crédito that it takes into account.
create table movement_match (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  movement_id text collate "C" not null references movement on delete cascade,
  target_id text collate "C" not null,
  amount bigint not null,
  primary key (movement_id, target_id),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index movement_match_of_target on movement_match (empresa_id, target_id);

-- Pairs that somebody took apart: they are not put together again unasked.
create table movement_kept_apart (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  movement_id text collate "C" not null references movement on delete cascade,
  target_id text collate "C" not null,
  at timestamptz not null,
  primary key (movement_id, target_id),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);

-- A tipo 46 that a payment abroad calls for. One for each movement, ever.
create table suggestion (
  account_id text collate "C" not null,
  empresa_id text collate "C" not null,
  mode text not null,
  id text collate "C" primary key,
  type text collate "C" not null,
  status text collate "C" not null default 'open',
  period text collate "C" not null,
  provider text collate "C" not null,
  movement_id text collate "C" not null references movement on delete cascade,
  -- As the movement stood when it was looked at last: positive, in the smallest unit of its currency.
  post_date date not null,
  amount bigint not null,
  currency text collate "C" not null,
  description text not null,
  -- Whether the registers of the month had been read by then.
  register_read boolean not null,
  document_id text collate "C",
  dismissal json,
  withdrawn_because text,
  created_at timestamptz not null,
  settled_at timestamptz,
  unique (movement_id),
  foreign key (account_id, empresa_id) references empresa (account_id, id) on delete cascade
);
create index suggestion_newest on suggestion (empresa_id, id);
create index suggestion_by_status on suggestion (empresa_id, status, id);
create index suggestion_by_period on suggestion (empresa_id, period, id);
create index suggestion_by_document on suggestion (empresa_id, document_id) where document_id is not null;
create index suggestion_dismissed on suggestion (empresa_id, provider, amount) where status = 'dismissed';

alter table automation_settings add column apply_movement_matches boolean not null default false;
