-- Who last gave an endpoint its address or its secret, or enabled it, and when, in real time. Null since it was made.
alter table webhook_endpoint add column url_by text collate "C", add column url_at timestamptz,
  add column secret_by text collate "C", add column secret_at timestamptz,
  add column enabled_by text collate "C", add column enabled_at timestamptz;

-- The credential that made the link, or the newest page to link a bank by.
alter table public_link add column made_by text collate "C";
alter table connection add column connect_by text collate "C", add column connect_at timestamptz;

-- For a change of address and the way back from it: since when the account is not trusted if it was an intruder's.
alter table account_link add column distrusted_since timestamptz;

-- An endpoint has an address and a secret, which two agents may have given it: it ends with either. A row of before
-- answers for both.
alter table agent_making add column aspect text collate "C" not null default 'address';
alter table agent_making drop constraint agent_making_pkey;
alter table agent_making add primary key (subject_id, aspect);
insert into agent_making (subject_id, grant_id, kind, label, created_at, aspect)
select subject_id, grant_id, kind, label, created_at, 'secret' from agent_making where kind = 'webhook_endpoint';
