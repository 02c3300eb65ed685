-- When an address of the account was proven for the first time: until then whoever opened it may be a stranger to its
-- owner. An account that already has a live key had a proven address by then, whatever it changed to later.
alter table account add column first_verified_at timestamptz;
update account a set first_verified_at = least(a.email_verified_at,
  (select min(k.created_at) from api_key k where k.account_id = a.id and k.mode = 'live'))
where a.email_verified_at is not null;

-- The way back from a change of address, for whoever reads the old one.
alter table account_link drop constraint account_link_kind_check;
alter table account_link add constraint account_link_kind_check
  check (kind in ('verify_email', 'reset_password', 'change_email', 'restore_email'));
create index account_link_restores on account_link (email) where kind = 'restore_email';

-- The credential that made it (a key, a session or a grant): what one made may have to end with it.
alter table api_key add column made_by text collate "C";
alter table webhook_endpoint add column made_by text collate "C";
create index api_key_made_by on api_key (account_id, made_by) where made_by is not null;

-- Logins of people who are being asked about an agent: they end with the other sessions of the account.
create index oauth_item_of_account on oauth_item ((coalesce(payload->>'accountId', payload#>>'{session,accountId}')))
  where model in ('Session', 'Interaction');
