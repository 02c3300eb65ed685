-- Networks from which somebody lately came into the account. What strangers try elsewhere does not keep these out. Only a
-- hash is kept, of the account and the network together: the same network of two accounts does not look the same.
create table account_network (
  account_id text collate "C" not null references account,
  network_hash bytea not null,
  seen_at timestamptz not null,
  primary key (account_id, network_hash)
);
