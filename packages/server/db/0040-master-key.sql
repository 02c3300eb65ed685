-- The master keys that this database was ever sealed with, by their number: `fingerprint` tells a wrong one at the start, and
-- `remaining` is how much still needs a key that no longer seals. Every database began with number 1.
create table master_key (
  version smallint primary key check (version between 1 and 255),
  fingerprint text,
  remaining bigint,
  counted_at timestamptz
);
insert into master_key (version) values (1);

-- Whose key signed a session, and the link of the letter that ends a grant: both live on outside, and cannot be sealed anew.
alter table session add column key_version smallint not null default 1;
alter table agent_grant add column key_version smallint not null default 1;
